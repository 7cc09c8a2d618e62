import Testing

@testable import Simulator

@Suite("Trace hash")
struct TraceHashTests {
    @Test("It depends on what was mixed, and in which order")
    func order() {
        var left = TraceHash()
        var right = TraceHash()
        left.mix("a")
        left.mix([1, 2])
        right.mix([1, 2])
        right.mix("a")
        #expect(left.value != right.value)
        #expect(left.hex.utf8.count == 16)
        var again = TraceHash()
        again.mix("a")
        again.mix([1, 2])
        #expect(again.value == left.value)
    }
}
