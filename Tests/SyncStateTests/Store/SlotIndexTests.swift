import Chat
import ChatTestKit
import NodeCore
import Testing

@testable import SyncState

@Suite struct SlotIndexTests {
    /// The newest rows of a lane come first and raise its highest seq far above the head. The mark stays below, so that
    /// the rest goes through the tail, in sorted batches.
    @Test func rowsAboveTheHeadDoNotRaiseTheMark() throws {
        let (one, other) = (try TestZone(device: 1), try TestZone(device: 2))
        let lane = one.zone.lane
        let old = try (0..<10).map { try one.read("c\($0)", score: 1) }
        let new = try (0..<10).map { try one.writeFact("fact \($0)") }
        try one.zone.commit()

        for record in new { try other.store.put(record) }
        try other.zone.tidy()
        #expect(other.store.lane(lane)?.slotted == 0)
        for record in old { try other.store.put(record) }
        #expect(other.store.slots.tailCount == old.count)
        try other.store.advance(lane, head: 20)
        try other.zone.tidy()
        #expect(other.store.lane(lane)?.slotted == 20 && other.store.slots.tailCount == 0)

        // A slot has one row even if it was in both the index and the tail, also after a crash.
        let later = try one.read("c3", score: 2)
        try other.store.put(later)
        try other.zone.commit()
        let again = try other.reopened()
        #expect(try again.store.holds(later) && !again.store.holds(old[3]))
        try again.store.put(try one.read("c3", score: 3))
        #expect(try !again.store.holds(later))
        #expect(again.store.lane(lane)?.rows == 20)
    }
}
