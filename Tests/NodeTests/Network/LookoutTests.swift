import NodeCore
import Testing

@testable import Node

@Suite struct LookoutTests {
    @Test func aTurnThatCameTooSoonIsMadeUpFor() {
        var lookout = Lookout(every: .seconds(2))
        func at(_ seconds: Double) -> MonotonicTime { .zero + .seconds(seconds) }
        #expect(lookout.deadline == nil && lookout.isTime(at(1)) && lookout.deadline == nil)
        #expect(!lookout.isTime(at(2)) && lookout.deadline == at(3))
        #expect(lookout.isTime(at(3)) && lookout.deadline == nil)
    }
}
