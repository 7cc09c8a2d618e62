import ChatTestKit
import Ledger
import NodeCore
import SyncState
import TestScale
import Testing

@testable import Chat

/// All devices show the same, in whatever order control records, rows and blobs arrive, and whoever reads meanwhile.
@Suite struct AccountOrdersTests {
    private static let bodies = (1...12 as ClosedRange<UInt64>).map { number in
        ChatMessage.sample(
            number, conversation: number % 3 == 0 ? "eve" : "bob", timestamp: 1_700_000_000 + number * 40_000,
            score: number % 4 == 0 ? nil : number,
            blockTime: number % 5 == 0 ? nil : 1_700_000_000_000 + number * 40_000_000, body: "body \(number)")
    }

    private func seen(_ device: TestZone, _ lanes: [LaneID]) throws -> [String] {
        let chat = device.zone.chat
        var all: [String] = []
        for name in ["bob", "eve"] {
            let conversation = try chat.conversation(name)
            all.append("\(name) \(conversation?.messages ?? 0) unread \(conversation?.unread ?? 0)")
            all.append("\(name) \(try chat.details(name).title?.value.text ?? "")")
            all.append("\(name) \(try chat.deletedThrough(name) ?? 0)")
            for listed in try chat.messages(conversation: name, limit: 100) {
                let message = listed.message
                all.append("\(message.body) \(listed.isRead) \(message.acceptingDaaScore ?? 0) \(message.status)")
            }
        }
        for lane in lanes { all.append("\(try device.zone.devices.names.name(of: lane)?.name ?? "")") }
        all += device.zone.groups.all.filter { $0.state == .joined }.map { "\($0.group.hex) \($0.revision)" }
        return all
    }

    private func act(_ device: TestZone, _ day: Int, _ lanes: [LaneID], _ random: inout SeededRandom) throws {
        let zone = device.zone
        let message = Self.bodies.randomElement(using: &random) ?? Self.bodies[0]
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<3: try device.archive(message)
        case 3: _ = try? zone.reads.markRead(message.conversationID, upTo: message.txid, now: .zero, wall: .day(day))
        case 4: try zone.reads.leave(message.conversationID)
        case 5: _ = try? zone.deletions.delete(message: message.txid, wall: .day(day))
        case 6: _ = try? zone.deletions.restore(message: message.txid, wall: .day(day))
        case 7 where Int.random(in: 0..<3, using: &random) == 0:
            _ = try? zone.deletions.delete(conversation: message.conversationID, wall: .day(day))
        case 8: _ = try? zone.deletions.restore(conversation: message.conversationID, wall: .day(day))
        case 9:
            let title = try ConversationTitle("T\(Int.random(in: 0..<9, using: &random))")
            _ = try zone.details.change(message.conversationID, [.title(title)], wall: .day(day))
        case 10:
            let event = ChainEvent(
                txid: message.txid, kind: Bool.random(using: &random) ? .confirm : .reorg,
                acceptingDaaScore: UInt64.random(in: 1...20, using: &random))
            _ = try? zone.learn(event, now: .zero)
        default:
            let name = "N\(Int.random(in: 0..<9, using: &random))"
            try zone.devices.names.give(name, to: lanes[Int.random(in: 0..<lanes.count, using: &random)])
        }
        try zone.commit()
    }

    @Test(arguments: 0..<TestScale.of(usual: 12, proof: 60) as Range<UInt64>)
    func orders(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let all = try (21...23 as ClosedRange<UInt8>).map { try TestZone(device: $0) }
        let lanes = all.map(\.zone.lane)
        for device in all {
            try device.begin(day: 1)
            try device.writeFact("a row by which it is known")
        }
        for _ in 0..<2 { for device in all.dropFirst() { try all[0].settle(with: device) } }
        // This device was let in early and has met nobody since.
        var late = try TestZone(device: 24)
        try all[0].learnLedger(of: late)
        for step in 0..<40 {
            if step == 20 { for device in all { try device.begin(day: 2) } }
            try act(all[Int.random(in: 0..<3, using: &random)], step < 20 ? 1 : 2, lanes, &random)
            if Int.random(in: 0..<4, using: &random) == 0 {
                try all[0].meet(all[Int.random(in: 1..<3, using: &random)])
            }
        }
        for _ in 0..<2 { for device in all.dropFirst() { try all[0].settle(with: device) } }
        if seed % 2 == 0 {
            for device in all { try device.begin(day: 3) }
            _ = try all[0].zone.removal.remove(lanes[1], since: seed % 4 == 0 ? .day(2, 0) : nil, by: TestZone.signer)
            try all[0].zone.commit()
            for _ in 0..<2 { try all[0].settle(with: all[2]) }
        }
        for device in [all[0], all[2]] { try device.run(for: Limits.formerMarks + .seconds(60)) }
        for _ in 0..<2 { try all[0].settle(with: all[2]) }
        let expected = try seen(all[0], lanes)
        for (one, other) in zip(try seen(all[0].reopened(), lanes), expected) where one != other {
            Issue.record("seed \(seed), reopened: \(one) for \(other)")
        }
        for (one, other) in zip(try seen(all[2], lanes), expected) where one != other {
            Issue.record("seed \(seed), third: \(one) for \(other)")
        }

        try late.begin(day: 3)
        let source = all[0]
        var ledger = source.zone.membership.records.records.shuffled(using: &random)
        var rows: [Record] = []
        try source.store.forEachRecord { rows.append($0) }
        rows.shuffle(using: &random)
        var refused: Set<String> = []
        for step in 0..<500 where !ledger.isEmpty || !rows.isEmpty || late.store.wantedCount > 0 {
            if Int.random(in: 0..<3, using: &random) == 0 {
                try late.store.begin()
                let part = ledger.prefix(Int.random(in: 1...3, using: &random))
                _ = try late.zone.membership.records.take((step > 300 ? ledger[...] : part).map(\.encoded))
                let held = late.zone.membership.state.set
                ledger = ledger.filter { !held.contains($0.hash) }.shuffled(using: &random)
            }
            for row in rows.prefix(Int.random(in: 0...4, using: &random)) { _ = try? late.store.put(row) }
            if step > 400 { for row in rows { do { try late.store.put(row) } catch { refused.insert("\(error)") } } }
            if Bool.random(using: &random) { try late.zone.commit() }
            for wanted in try late.store.wanted(limit: 50).shuffled(using: &random).prefix(1) {
                let blob = try source.store.blob(
                    of: wanted.record.lane, seq: wanted.record.seq, hashPrefix: wanted.blob.hash.shortPrefix)
                if let blob { _ = try late.store.put(blob: blob, for: wanted) }
            }
            try late.zone.commit()
            var here: Set<RecordHash> = []
            try late.store.forEachRecord { here.insert($0.hash) }
            rows = rows.filter { !here.contains($0.hash) }.shuffled(using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0: _ = try seen(late, lanes)
            case 1: try late.zone.tidy()
            case 2:
                late = try late.reopened()
                late.store.setTime(now: .zero, wall: .day(3))
            case 3: try late.run(for: .seconds(1))
            default: break
            }
        }
        try late.zone.commit()
        try late.run(for: .seconds(1))
        try late.run(for: Limits.formerMarks + .seconds(60))
        #expect(
            rows.isEmpty && ledger.isEmpty && late.store.wantedCount == 0,
            "\(rows.count) \(ledger.count) \(late.store.wantedCount) \(refused)")
        for (name, device) in [("late", late), ("late reopened", try late.reopened())] {
            for (one, other) in zip(try seen(device, lanes), expected) where one != other {
                Issue.record("seed \(seed), \(name): \(one) for \(other)")
            }
        }
    }
}
