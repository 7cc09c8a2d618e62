import ProcessHarness
import Testing

/// The effect of a signal is tested on the demo, which is a separate process.
@Suite("Deadline")
struct DeadlineTests {
    @Test("passes, and has nothing left then")
    func passes() {
        #expect(Deadline(after: .zero).hasPassed)
        #expect(Deadline(after: .seconds(-5)).remaining == .zero)
        let later = Deadline(after: .seconds(86_400))
        #expect(!later.hasPassed)
        #expect(later.remaining > .seconds(80_000))
    }
}
