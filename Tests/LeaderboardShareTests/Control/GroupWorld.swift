import NodeCore

@testable import LeaderboardShare

/// A score as the state sees it: its record's hash, whose it is, and the lane that it stands in.
struct ModelScore: Hashable {
    let hash: RecordHash
    let by: MemberID
    let device: LaneID
}

extension GroupState {
    func accepts(_ score: ModelScore) -> Bool {
        accepts(score.hash, by: score.by, device: score.device)
    }
}

/// Honest nodes of one group; the owner has two devices. Records are not signed: signatures have tests of their own.
final class GroupWorld {
    var random: SeededRandom
    let owner: MemberID
    let genesis: ControlRecord
    var nodes: [GroupNode] = []
    /// Who was sealed which root.
    var holders: [RecordHash: Set<MemberID>] = [:]
    private var numbers: UInt64 = 0

    var group: ZoneID { genesis.group }

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        owner = MemberID(Self.key("owner", 0))
        let beginning = Genesis(
            random: random.identifier(), createdAt: WallTime(milliseconds: 0), memberLimit: 500,
            rootCommitment: .zero)
        genesis = ControlRecord(
            group: beginning.groupID(owner: owner), by: owner, under: .zero, claimedAt: beginning.createdAt, nonce: 0,
            act: .genesis(beginning), sign: { _ in [] })
        holders[genesis.hash] = [owner]
        let first = GroupNode(self, owner, held: [genesis])
        nodes = [first]
        first.invite()
        for _ in 0..<int(1...4) { first.admit() }
        nodes.insert(GroupNode(self, owner, held: first.held), at: 1)
    }

    func count() -> UInt64 {
        numbers += 1
        return numbers
    }

    private static func key(_ what: String, _ number: UInt64) -> Bytes32 {
        Blake2b.hash32(Array("\(what) \(number)".utf8))
    }

    func freshMember() -> MemberID { MemberID(Self.key("member", count())) }
    func freshDevice() -> LaneID { LaneID(Self.key("device", count())) }
    func freshHash() -> RecordHash { RecordHash(Self.key("hash", count())) }

    func write(
        _ by: MemberID, _ under: RecordHash = .zero, _ act: ControlAct, date: Int64 = 0
    ) -> ControlRecord {
        ControlRecord(
            group: group, by: by, under: under, claimedAt: WallTime(milliseconds: date), nonce: count(), act: act,
            sign: { _ in [] })
    }

    func state(_ records: some Sequence<ControlRecord>) -> GroupState {
        GroupState(group: group, records: records)
    }

    // MARK: Randomness

    func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }

    /// One of `all`, which is not empty.
    func pick<Element>(_ all: [Element]) -> Element { all[int(0...all.count - 1)] }

    func some<Element>(_ all: [Element], _ share: Double) -> [Element] { all.filter { _ in chance(share) } }

    func role(_ range: ClosedRange<Int>) -> Role { Role(rawValue: UInt8(int(range))) ?? .viewer }

    // MARK: Life

    enum Deed: CaseIterable {
        case score, admit, invite, suspend, unsuspend, grant, demote, revoke, remove, title, rotate, transfer, close
    }

    static let usualDeeds: [Deed] = [.grant, .demote, .revoke, .remove, .title, .rotate]

    func live(_ steps: Int, _ deeds: [Deed] = usualDeeds, among some: [GroupNode]? = nil) {
        for _ in 0..<steps {
            let node = pick(some ?? nodes)
            let meets = chance(0.4)
            var choice = [Deed](repeating: .score, count: 6) + [Deed](repeating: .admit, count: 8)
            if node.rank >= 3, node.authority != nil {
                choice += [.invite, .invite, .invite, .invite, .suspend, .unsuspend]
            }
            if node.rank == 4 { choice += [.invite, .invite, .invite, .invite, .grant] + deeds }
            if some == nil, meets {
                let other = pick(nodes)
                node.take(other.held, other.scores)
            } else if node.rank >= 2, !node.view.isClosed {
                node.act(pick(choice))
            }
        }
    }

    func exchange(_ some: [GroupNode]? = nil) {
        let among = some ?? nodes
        var all: [ControlRecord] = []
        var known: Set<RecordHash> = []
        var scores: [ModelScore] = []
        var knownScores: Set<RecordHash> = []
        for node in among {
            all += node.held.filter { known.insert($0.hash).inserted }
            scores += node.scores.filter { knownScores.insert($0.hash).inserted }
        }
        for node in among { node.take(all.shuffled(using: &random), scores) }
    }
}
