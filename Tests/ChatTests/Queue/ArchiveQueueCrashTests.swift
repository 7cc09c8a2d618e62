import ChatTestKit
import NodeCore
import SyncState
import Testing

@testable import Chat

/// A message is in the queue or in exactly one segment of this device, wherever the node dies.
@Suite struct ArchiveQueueCrashTests {
    private static func work(_ home: TestZone) throws {
        for number in 31...33 as ClosedRange<UInt64> { _ = try home.zone.accept(.sample(number), now: .zero) }
        try home.zone.cut(force: false, now: .zero)
        try home.zone.commit()
        _ = try home.zone.accept(.sample(34), now: .zero)
        try home.zone.cut(holding: [ChatMessage.sample(34).txid], now: .zero)
        try home.zone.commit()
        _ = try home.zone.accept(.sample(35, conversation: "ann"), now: .zero)
        try home.zone.cut(force: true, now: .zero)
        try home.zone.commit()
    }

    @Test func aCrashAtAnyOperationLosesAndDoublesNothing() throws {
        var operations = 0
        var isDone = false
        while !isDone {
            let home = try TestZone(device: 1)
            for number in 1...30 as ClosedRange<UInt64> { _ = try home.zone.accept(.sample(number), now: .zero) }
            try home.zone.commit()
            var left = operations
            home.database.probe = { (_) throws(DatabaseError) in
                if left <= 0 { throw DatabaseError(code: 10, message: "no power") }
                left -= 1
            }
            do {
                try Self.work(home)
                isDone = true
            } catch is DatabaseError {
                // It has died.
            }
            home.database.probe = nil
            let again = try home.reopened()
            let stats = try again.zone.chat.stats()
            let archived = try Self.archived(again)
            #expect(stats.messages >= 30 && stats.messages <= 35)
            #expect(again.zone.chat.queuedCount + archived.count == stats.messages, "operation \(operations)")
            #expect(Set(archived).count == archived.count, "operation \(operations)")
            for number in 1...30 as ClosedRange<UInt64> {
                #expect(try again.zone.chat.message(ChatMessage.sample(number).txid)?.message == .sample(number))
            }
            operations += 1
        }
        #expect(operations > 100)
    }

    /// The txids in all segments, with duplicates.
    private static func archived(_ home: TestZone) throws -> [TxID] {
        var found: [TxID] = []
        try home.zone.segments.forEachSegment(after: 0) { _, sealed in
            found += try SegmentCodec().messages(of: sealed).map(\.txid)
            return true
        }
        return found
    }
}
