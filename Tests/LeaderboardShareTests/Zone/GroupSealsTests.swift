import ChatTestKit
import Ledger
import NodeCore
import SyncState
import Testing

@testable import LeaderboardShare

/// The records about a group's roots that a member can make others' devices write.
@Suite("Group zones: what Seals cost", .timeLimit(.minutes(30))) struct GroupSealsTests {
    private let anna: GroupBench
    private let ben: GroupBench
    private let mallory: GroupBench

    /// A group whose founder has since made another root, which Ben lacks.
    init() throws {
        anna = try GroupBench(founder: "anna", 1)
        let token = try anna.zone.invitations.invite(people: 8)
        ben = try anna.admit("ben", 2, with: token)
        mallory = try anna.admit("mallory", 4, with: token)
        let cleo = try anna.admit("cleo", 5, with: token)
        try ben.meet(anna)
        try anna.zone.roster.remove(cleo.member)
        try anna.turn()
        try mallory.meet(anna)
    }

    private func seals(by lane: LaneID) -> Int {
        anna.ledger.count { $0.act.kind == LedgerKind.seal.rawValue && $0.lane == lane }
    }

    /// Enters lanes of Mallory's person, in an order in which each displaces an earlier one.
    private func enter(_ numbers: Range<UInt64>) throws {
        let devices = numbers.map {
            DeviceKeys(deviceSecret: GroupBench.device(4), tag: Bytes16(9, $0))
        }.sorted { $1.lane < $0.lane }
        for device in devices {
            let message = Enter.endorsed(
                lane: device.lane, member: mallory.member, isReplica: false, sealKey: device.sealing.publicKey,
                succeeds: .zero, zone: anna.zone.zone)
            let enter = Enter(
                person: GroupBench.person("mallory"), firstLane: mallory.zone.keys.firstLane,
                sealKey: device.sealing.publicKey, entrance: .person(GroupBench.key("mallory").sign(message)))
            try anna.take([
                LedgerRecord(
                    zone: anna.zone.zone, signer: device.signing.publicKey, prev: .zero, act: .enter(enter),
                    sign: device.signing.sign)
            ])
            try anna.pass(.seconds(11))
        }
    }

    @Test("A member that enters lanes without end costs the owner's lane so many records a day")
    func lanesWithoutEnd() throws {
        let before = seals(by: anna.zone.lane)
        try enter(0..<60)
        #expect(seals(by: anna.zone.lane) - before == 32)
        let last = anna.state.standingLanes.filter { $0.member == mallory.member }
        #expect(last.count == 16)
        // Nobody else waits for that, and the remaining lanes have their turn the next day.
        try ben.meet(anna)
        #expect(ben.zone.membership.root.rotate == anna.zone.membership.root.rotate)
        try anna.pass(.seconds(86_400))
        #expect(anna.state.duties(of: anna.key, holding: anna.zone.membership.ring).isEmpty)
    }

    @Test("Junk that a member seals to another uses none of that one's words about the owner's Seals up")
    func junkOfAMember() throws {
        let rotate = anna.zone.membership.root.rotate
        let device = ben.zone.store.device
        var random: any RandomSource = SeededRandom(seed: 5)
        func junk(by bench: GroupBench) throws {
            let root = ZoneRoot(rotate: rotate, secret: Secret(random: &random, count: 32))
            let recipient = Seal.Recipient(id: device.lane.storage, key: device.sealing.publicKey)
            try bench.zone.context.write(.seal(Seal(root, to: [recipient], random: &random)))
            try bench.turn()
        }
        /// Shows a ledger without the Seal by which the owner gave Ben the root.
        func show(_ bench: GroupBench, but held: Set<RecordHash>) throws {
            try ben.take(bench.ledger.filter { !held.contains($0.hash) })
        }
        let honest = Set(anna.ledger.filter { $0.act.kind == LedgerKind.seal.rawValue }.map(\.hash))
        func said() -> Int { ben.ledger.count { $0.act.kind == LedgerKind.unopened.rawValue } }
        for _ in 0..<20 {
            try junk(by: mallory)
            try show(mallory, but: honest)
        }
        #expect(ben.roots == 1 && said() == 0)
        #expect(ben.ledger.count { $0.act.kind == LedgerKind.seal.rawValue } == 20)
        let phone = try anna.another(11)
        try junk(by: phone)
        try show(phone, but: honest)
        #expect(ben.roots == 1 && said() == 1)
    }
}
