package import Chat
import Ledger
package import NodeCore
package import SyncState

extension TestZone {
    /// Takes everything another device holds, as after a session: its ledger, rows, and then blobs.
    package func take(from other: TestZone) throws {
        try takeRows(of: other)
        for wanted in try store.wanted(limit: 10_000) {
            let record = wanted.record
            guard let hash = record.blob?.hash,
                let bytes = try other.store.blob(of: record.lane, seq: record.seq, hashPrefix: hash.shortPrefix)
            else { continue }
            _ = try store.put(blob: bytes, for: wanted)
        }
        try zone.commit()
    }

    /// The same without the blobs.
    package func takeRows(of other: TestZone) throws {
        try learnLedger(of: other)
        try store.takeRows(of: other.store)
        try zone.commit()
    }

    /// Takes the other's control records: who writes in which lane.
    package func learnLedger(of other: TestZone) throws {
        try store.begin()
        _ = try zone.membership.records.take(other.zone.membership.records.records.map(\.encoded))
    }

    /// Both take what the other has, until neither has anything new.
    package func meet(_ other: TestZone) throws {
        try zone.commit()
        try other.zone.commit()
        for _ in 0..<3 {
            try take(from: other)
            try other.take(from: self)
        }
    }

    /// Meets another device, and both do what is due then, until neither has anything to say.
    package func settle(with other: TestZone) throws {
        for _ in 0..<2 {
            try meet(other)
            for zone in [self, other] { for _ in 0..<2 { try zone.run(for: .seconds(20)) } }
        }
        try meet(other)
    }

    /// Sets the time to noon of a day.
    package func begin(day: Int) throws {
        store.setTime(now: .zero, wall: .day(day))
        try run(for: .seconds(1))
    }

    /// Accepts messages and archives them.
    package func archive(_ messages: ChatMessage...) throws {
        for message in messages { _ = try zone.accept(message, now: .zero) }
        try zone.cut(force: true, now: .zero)
        try zone.commit()
    }

    /// Number of current records of one type in this device's lane.
    package func written(_ isCounted: (any RecordContent) -> Bool) throws -> Int {
        try store.takeWritten().count { isCounted(try zone.open($0.record)) }
    }
}

extension WallTime {
    /// A day of 2026, and a time on it in milliseconds.
    package static func day(_ day: Int, _ milliseconds: Int64 = 43_200_000) -> WallTime {
        WallTime(milliseconds: 1_767_225_600_000 + Int64(day) * 86_400_000 + milliseconds)
    }
}
