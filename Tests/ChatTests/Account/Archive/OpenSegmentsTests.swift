import ChatTestKit
import NodeCore
import SyncState
import TestScale
import Testing

@testable import Chat

/// Messages share segments even if they are archived one by one.
@Suite struct OpenSegmentsTests {
    private static let start: UInt64 = 1_700_000_000

    private static func message(
        _ number: UInt64, conversation: String = "bob", after seconds: UInt64 = 0, body: String? = nil
    ) -> ChatMessage {
        .sample(number, conversation: conversation, timestamp: start + number + seconds, body: body)
    }

    private func shown(_ zone: TestZone, _ conversation: String = "bob") throws -> [String] {
        try zone.zone.chat.messages(conversation: conversation, limit: 1_000).map(\.message.body)
    }

    private func segments(_ zone: TestZone) throws -> [SegmentMeta] {
        try zone.store.vector.flatMap { try zone.store.records(of: $0.id) }
            .compactMap { try zone.zone.open($0) as? SegmentMeta }
    }

    /// The bytes of all rows and blobs of segments, which a new device is sent.
    private func sizeBytes(_ zone: TestZone) throws -> Int {
        var bytes = 0
        for lane in zone.store.vector {
            for row in try zone.store.records(of: lane.id) where row.kind == .segment {
                bytes += row.encoded.count + (row.blob?.sizeBytes ?? 0)
            }
        }
        return bytes
    }

    /// This is what an app does that flushes after each message, in several conversations over some days.
    @Test func aHistoryOfSingleMessagesCostsNoMoreThanAnImport() throws {
        let words = ["yes", "no", "let us meet at the station at ten", "see you", "what did she say about it?"]
        let count = TestScale.of(usual: 400, proof: 1_000)
        let messages = (0..<UInt64(count)).map { number in
            Self.message(
                number, conversation: "talk \(number % 7)", after: number * 863,
                body: "\(words[Int(number % 5)]) \(number)")
        }
        let (single, whole) = (try TestZone(device: 1), try TestZone(device: 1))
        for message in messages { try single.archive(message) }
        for message in messages { _ = try whole.zone.accept(message, isHistory: true, now: .zero) }
        try whole.zone.cut(force: true, now: .zero)
        try whole.zone.commit()
        let (one, other) = (try sizeBytes(single), try sizeBytes(whole))
        // A connected device gets each message together with those already in its segment.
        var sent = 0
        for (_, record) in single.store.takeWritten() where record.kind == .segment {
            sent += record.encoded.count + (record.blob?.sizeBytes ?? 0)
        }
        #expect(sent <= 20 * one, "\(sent) bytes for \(one)")
        // The figures of docs/PERFORMANCE.md.
        if TestScale.proves {
            print("single messages: \(one) B to a new device, \(sent) B to one in reach; import: \(other) B")
        }
        #expect(Double(one) <= 1.3 * Double(other), "\(one) bytes for \(other)")
        let new = try TestZone(device: 2)
        try new.take(from: single)
        for zone in [single, new] {
            #expect(try zone.zone.chat.stats().messages == count)
            #expect(try segments(zone).reduce(0) { $0 + $1.messageCount } == count)
            for talk in 0..<7 {
                #expect(try shown(zone, "talk \(talk)") == shown(whole, "talk \(talk)"))
            }
        }
    }

    /// A connected device gets the segment each time, and shows each message once.
    @Test func aConnectedDeviceFollows() throws {
        let (writer, reader) = (try TestZone(device: 1), try TestZone(device: 2))
        for number in 1...30 {
            try writer.archive(Self.message(UInt64(number)))
            try reader.take(from: writer)
            for zone in [writer, reader] {
                #expect(try shown(zone) == (1...number).reversed().map { "text \($0)" })
                let stats = try zone.zone.chat.stats()
                #expect(stats.messages == number && stats.unread == number && stats.segments == (number + 24) / 25)
            }
        }
        #expect(try segments(reader).map(\.messageCount) == [25, 5])
        // Read marks, positions and counters come from the trees, and are the same when derived again.
        for zone in [try writer.reopened(), try reader.reopened()] {
            #expect(try shown(zone).count == 30 && zone.zone.chat.stats().unread == 30)
        }
    }

    /// Until the new segment is here, the old one is read and only the new message is missing.
    @Test func onlyWhatIsNewIsMissingMeanwhile() throws {
        let (writer, reader) = (try TestZone(device: 1), try TestZone(device: 2))
        for number in 1...4 as ClosedRange<UInt64> {
            try writer.archive(Self.message(number))
            if number == 3 { try reader.take(from: writer) }
        }
        try reader.takeRows(of: writer)
        #expect(try shown(reader) == ["text 3", "text 2", "text 1"])
        let missing = try reader.zone.archive.missingSegments(of: "bob", limit: 10)
        #expect(missing.map(\.sum.messages) == [1])
        try reader.take(from: writer)
        #expect(try shown(reader).count == 4)
    }

    /// Two that continue from one state, as after a copy or an older backup, take nothing from each other.
    @Test func anotherInstanceBeginsASegment() throws {
        let (one, peer) = (try TestZone(device: 1), try TestZone(device: 2))
        try one.archive(Self.message(1))
        let other = try one.reopened()
        try one.archive(Self.message(2))
        try other.archive(Self.message(3))
        try other.archive(Self.message(4))
        #expect(try segments(one).map(\.messageCount) == [2])
        #expect(try segments(other).map(\.messageCount) == [1, 2])
        try peer.take(from: one)
        try peer.take(from: other)
        #expect(try shown(peer) == ["text 4", "text 3", "text 2", "text 1"])
    }

    /// A turn that is not committed leaves the messages in the queue and the old segment in place.
    @Test func aCrashUndoesIt() throws {
        let zone = try TestZone(device: 1)
        try zone.archive(Self.message(1))
        _ = try zone.zone.accept(Self.message(2), now: .zero)
        try zone.zone.commit()
        try zone.zone.cut(force: true, now: .zero)
        let crashed = try zone.reopened()
        #expect(try shown(crashed) == ["text 2", "text 1"] && crashed.zone.chat.queuedCount == 1)
        try crashed.zone.cut(force: true, now: .zero)
        try crashed.zone.commit()
        #expect(try shown(crashed) == ["text 2", "text 1"])
        #expect(try segments(crashed).map(\.messageCount) == [1, 1])
        // The same without a restart.
        try zone.zone.rollback()
        try zone.zone.cut(force: true, now: .zero)
        try zone.zone.commit()
        #expect(try shown(zone) == ["text 2", "text 1"])
    }

    @Test func largeOnesAndLateOnesBeginASegment() throws {
        let zone = try TestZone(device: 1)
        let large = String(repeating: "a large one ", count: 800)
        try zone.archive(Self.message(1, body: large))
        try zone.archive(Self.message(2, body: large))
        try zone.archive(Self.message(3))
        #expect(try segments(zone).map(\.messageCount) == [1, 2])
        try zone.run(for: Limits.joinedFor + .seconds(1))
        try zone.archive(Self.message(4))
        #expect(try segments(zone).map(\.messageCount) == [1, 2, 1])
        // Other conversations and other days have their own segments.
        try zone.archive(Self.message(5, conversation: "eve"))
        try zone.archive(Self.message(6, after: 86_400))
        try zone.archive(Self.message(7))
        #expect(try segments(zone).map(\.messageCount) == [1, 2, 1, 1, 2])
        #expect(try shown(zone).count == 6)
    }

    /// Deleted messages leave a joined segment too, a week later.
    @Test func deletedBodiesAreTakenOut() throws {
        let (writer, reader) = (try TestZone(device: 1), try TestZone(device: 2))
        let messages = (1...3).map { Self.message(UInt64($0)) }
        for message in messages { try writer.archive(message) }
        _ = try writer.zone.deletions.delete(message: messages[1].txid, wall: .day(0))
        try writer.archive(Self.message(4))
        try writer.run(for: SyncState.Limits.keptAside + .seconds(1))
        try reader.take(from: writer)
        for zone in [writer, reader] {
            #expect(try shown(zone) == ["text 4", "text 3", "text 1"])
            #expect(try zone.zone.chat.heldCopy(of: messages[1].txid)?.hasContent == false)
        }
        #expect(try segments(reader).map(\.messageCount) == [4])
    }

    /// With two devices, restarts and copies, both show each message once, and it is archived once.
    @Test(arguments: 1...TestScale.of(usual: 10, proof: 300) as ClosedRange<UInt64>)
    func noMessageIsLostOrDoubled(seed: UInt64) throws {
        var random: any RandomSource = SeededRandom(seed: seed)
        var zones = [try TestZone(device: 1), try TestZone(device: 2)]
        var given: [String: Set<String>] = [:]
        for number in 0..<120 as Range<UInt64> {
            let place = Int.random(in: 0...1, using: &random)
            switch Int.random(in: 0..<20, using: &random) {
            case 0: zones[place] = try zones[place].reopened()
            case 1: try zones[place].zone.rollback()
            case 2...6: try zones[place].meet(zones[1 - place])
            default:
                let conversation = "talk \(Int.random(in: 0..<2, using: &random))"
                let later = UInt64.random(in: 0..<2, using: &random) * 86_400
                let message = Self.message(number, conversation: conversation, after: later)
                _ = try zones[place].zone.accept(message, now: .zero)
                try zones[place].zone.commit()
                given[conversation, default: []].insert(message.body)
                if Bool.random(using: &random) { try zones[place].zone.cut(force: true, now: .zero) }
                if Bool.random(using: &random) { try zones[place].zone.commit() }
            }
        }
        for zone in zones {
            try zone.zone.cut(force: true, now: .zero)
            try zone.zone.commit()
        }
        try zones[0].meet(zones[1])
        let all = given.values.reduce(0) { $0 + $1.count }
        for zone in [zones[0], zones[1], try zones[0].reopened(), try zones[1].reopened()] {
            for (conversation, bodies) in given {
                let shown = try shown(zone, conversation)
                #expect(Set(shown) == bodies && shown.count == bodies.count)
                #expect(try zone.zone.chat.conversation(conversation)?.unread == bodies.count)
            }
            #expect(try segments(zone).reduce(0) { $0 + $1.messageCount } == all)
            #expect(zone.store.aside.shownCount == 0)
        }
    }
}
