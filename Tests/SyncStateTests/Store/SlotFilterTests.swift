import NodeCore
import Testing

@testable import SyncState

@Suite struct SlotFilterTests {
    @Test func whatWasPutInIsNeverDenied() {
        var random = SeededRandom(seed: 5)
        var filter = SlotFilter()
        let held = (0..<100_000).map { _ in random.identifier(Slot.self) }
        for slot in held { filter.insert(slot) }
        #expect(held.allSatisfy { filter.mayHold($0) })
        // Few others are believed.
        let others = (0..<100_000).count { _ in filter.mayHold(random.identifier(Slot.self)) }
        #expect(others < 2_000)
    }
}
