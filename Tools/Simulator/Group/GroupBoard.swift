import LeaderboardShare
import Ledger
import NodeCore
import SyncState

/// Facts about a simulated group that are known outside of it: tokens handed over, acknowledged posts, and members
/// removed by the owner. Shared by all nodes of a run.
package final class GroupBoard {
    struct Post {
        let member: MemberID
        let lane: LaneID
        let day: Day
        let score: UInt32
        /// Lanes of the owner's that named it when they took its author's role, and whether its device was shut out by
        /// one that had seen it.
        var keptBy: Set<LaneID> = []
        var outlivesDevice = false
        /// Damage took it, and nobody else had it.
        var isLost = false
    }

    /// By node: true if it is dishonest.
    private let isDishonest: [Bool]
    /// Nodes that were honest until their person shut them out.
    var stolen: Set<Int> = []
    var tokens: [GroupToken] = []
    /// Acknowledged posts of honest nodes.
    var posts: [Post] = []
    /// Acknowledged removals, with the lane of the owner's that wrote each.
    var removed: [MemberID: LaneID] = [:]
    /// Members that the owner made viewers, and has not tried to raise since, with the lane that wrote it.
    var lowered: [MemberID: LaneID] = [:]
    /// Members that honest nodes tried to suspend.
    var suspended: Set<MemberID> = []
    /// Members that the owner tried to make admins.
    var raised: Set<MemberID> = []
    /// Members whose leaving was acknowledged, with the lane that wrote it.
    var left: [MemberID: LaneID] = [:]
    /// True once the group's end was started, and the lanes for which it was acknowledged.
    var isClosing = false
    var closedBy: Set<LaneID> = []
    /// The control records and rows that dishonest nodes pass to each other, and to everybody who meets them.
    private(set) var records: [[UInt8]] = []
    private(set) var rows: [Record] = []
    private(set) var counts: [GroupDeed: Int] = [:]
    /// The node that writes a lane.
    var writers: [LaneID: Int] = [:]
    private var damaged: Set<Int> = []
    /// Damage took the group's game, and nobody else had it.
    private(set) var isGameLost = false
    private var accounts: [Int: GroupAccount] = [:]

    static let game = GameID(Bytes16(0x5EED, 1))
    private static let dropped = 400

    init(nodes: Int, random: inout any RandomSource) {
        // The owner's two devices are honest: a dishonest owner may do anything to its group.
        var isDishonest = (0..<nodes).map { $0 >= 2 && Int.random(in: 0..<3, using: &random) == 0 }
        for index in isDishonest.indices where index % 6 == 5 { isDishonest[index] = isDishonest[2] }
        self.isDishonest = isDishonest
    }

    func isHonest(_ node: Int) -> Bool { !isDishonest[node] && !stolen.contains(node) }

    func count(_ deed: GroupDeed) { counts[deed, default: 0] += 1 }

    /// Nodes 0 and 1 are the owner's; each sixth is another device of the third member.
    func person(of node: Int) -> Int { node == 1 ? 0 : node % 6 == 5 ? 2 : node }

    func account(of person: Int) -> GroupAccount {
        if let known = accounts[person] { return known }
        let account = GroupAccount()
        accounts[person] = account
        return account
    }

    /// Another device of the same person's may know what this one has forgotten.
    func hasOther(_ node: Int) -> Bool {
        isDishonest.indices.contains { $0 != node && person(of: $0) == person(of: node) && !stolen.contains($0) }
    }

    /// The acknowledged posts of a member that a node sees.
    func posts(of member: MemberID, seenBy zone: GroupZone) throws -> [Int] {
        try posts.indices.filter { number in
            let post = posts[number]
            return try post.member == member
                && zone.score(of: member, day: post.day, game: Self.game)?.score == post.score
        }
    }

    // MARK: Damage

    /// A node's home is damaged: what it alone had may be gone, and what others hold must stay.
    ///
    /// - Parameter others: the zones that others have open.
    func damage(_ node: Int, others: [GroupZone]) {
        damaged.insert(node)
        func isSafe(_ lane: LaneID) -> Bool { writers[lane].map { !damaged.contains($0) } ?? false }
        for index in posts.indices where !isSafe(posts[index].lane) {
            let post = posts[index]
            // A disk that fails when it is asked counts as one without it.
            let isHeld = others.contains {
                (try? $0.score(of: post.member, day: post.day, game: Self.game))?.score == post.score
            }
            if !isHeld { posts[index].isLost = true }
        }
        if !others.contains(where: { !$0.catalogue.games.isEmpty }) { isGameLost = true }
        func isKnown(_ lane: LaneID, _ condition: (LedgerState) -> Bool) -> Bool {
            isSafe(lane) || others.contains { condition($0.state) }
        }
        removed = removed.filter { member, lane in isKnown(lane) { $0.isDismissed(member) } }
        lowered = lowered.filter { member, lane in isKnown(lane) { $0.role(of: member) <= .viewer } }
        closedBy = closedBy.filter { lane in isKnown(lane) { $0.isClosed } }
        left = left.filter { member, _ in others.contains { $0.state.left.contains(member) } }
        for index in posts.indices {
            posts[index].keptBy = posts[index].keptBy.filter(isSafe)
            posts[index].outlivesDevice = false
        }
    }

    // MARK: What the dishonest pass on

    func drop(_ record: LedgerRecord) {
        if records.count < Self.dropped { records.append(record.encoded) }
    }

    func drop(_ row: Record) {
        if rows.count < Self.dropped { rows.append(row) }
    }
}

/// Stands for the account's zone, in which the devices of one person say which lanes are theirs and let each other in:
/// here they know it at once.
final class GroupAccount {
    struct Claim: Equatable {
        let member: MemberID
        let lane: LaneID
        let sealKey: Bytes32
    }

    /// What a copy of a home has of it.
    struct Contents {
        /// How many members the person was before, each by another key.
        fileprivate(set) var life = 0
        /// Of the present membership; nil before, and while the person comes back.
        var keys: GroupKeys?
        /// The node that seeks a member for the person.
        var seeker: Int?
        /// By node: its lane.
        fileprivate(set) var claims: [Int: Claim] = [:]
        fileprivate(set) var entrances: [LaneID: [GroupEndorsement]] = [:]
    }

    private(set) var contents = Contents()
    /// Changes with each claim and entrance.
    private(set) var revision = 0

    var life: Int { contents.life }
    var claims: [Int: Claim] { contents.claims }
    var entrances: [LaneID: [GroupEndorsement]] { contents.entrances }

    var keys: GroupKeys? {
        get { contents.keys }
        set { contents.keys = newValue }
    }

    var seeker: Int? {
        get { contents.seeker }
        set { contents.seeker = newValue }
    }

    func say(_ claim: Claim, by node: Int) {
        guard contents.claims[node] != claim else { return }
        contents.claims[node] = claim
        revision += 1
    }

    func letIn(_ lane: LaneID, by endorsement: GroupEndorsement) {
        contents.entrances[lane, default: []].append(endorsement)
        revision += 1
    }

    /// The person comes back, as another member.
    func beginAnew() {
        (contents.keys, contents.claims) = (nil, [:])
        contents.life += 1
        revision += 1
    }

    /// The only device that knew it went back in time.
    func putBack(_ contents: Contents) {
        self.contents = contents
        revision += 1
    }
}
