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
        let seq: UInt64
        let day: Day
        let score: UInt32
        /// The lanes that let its own in, one after the other.
        let way: [LaneKey]
        /// Lanes of the owner's that named it when they took its author's role, and whether its device was shut out by
        /// one that had seen it.
        var keptBy: Set<LaneID> = []
        var outlivesDevice = false
        /// After damage to its device, or once its member was given up: the lanes of those that were seen to hold it
        /// since. Nil while that device must have it.
        var holders: Set<LaneKey>?
    }

    struct Leaving {
        /// The lane that wrote it.
        let lane: LaneID
        /// The lanes of those that have heard of it.
        var heardBy: Set<LaneKey> = []
        /// Damage may have taken it, after the member was told that it is known.
        var mayBeForgotten = false
    }

    struct Theft {
        let lane: LaneKey
        /// The lane that wrote the Remove.
        let by: LaneID
        /// Damage may have taken the Remove, of which nobody else had heard.
        var mayBeBack = false
    }

    struct Dismissal {
        /// The lane of the owner's that wrote it.
        let by: LaneID
        /// Damage may have taken it from all but the member itself, which stays out if it was shown it.
        var mayBeForgotten = false
    }

    /// By node: true if it is dishonest.
    private let isDishonest: [Bool]
    /// Nodes that were honest until their person shut them out, with the lanes that they had.
    var stolen: [Int: Theft] = [:]
    /// The lanes of devices that meet nobody any more, though others may take them for members; and the members for
    /// whom no device writes any more, since their person came by another token.
    private var silent: (lanes: Set<LaneKey>, members: Set<MemberID>) = ([], [])
    /// Nodes that never start again.
    var gone: Set<Int> = []
    /// By node: the number of the device whose home is on it.
    private var devices: [Int]
    var tokens: [GroupToken] = []
    /// Acknowledged posts of honest nodes.
    var posts: [Post] = []
    /// Acknowledged removals.
    var removed: [MemberID: Dismissal] = [:]
    /// Members that the owner made viewers, and has not tried to raise since, with the lane that wrote it.
    var lowered: [MemberID: LaneID] = [:]
    /// Members that honest nodes tried to suspend.
    var suspended: Set<MemberID> = []
    /// Members that the owner tried to make admins.
    var raised: Set<MemberID> = []
    /// Members whose leaving was acknowledged.
    var left: [MemberID: Leaving] = [:]
    /// The lanes in which the owner's devices started the group's end.
    var closing: Set<LaneID> = []
    /// By the lane for which the group's end was acknowledged: who had left, as far as that device knew.
    var closedBy: [LaneID: [MemberID]] = [:]
    /// The control records and rows that dishonest nodes pass to each other, and to everybody who meets them.
    private(set) var dropped: (records: [[UInt8]], rows: [Record]) = ([], [])
    private(set) var counts: [GroupDeed: Int] = [:]
    /// The nodes that write a lane, several if one has a copy of another's home; and those whose homes were damaged.
    private var homes: (writers: [LaneID: Set<Int>], damaged: Set<Int>) = ([:], [])
    /// After damage: those that held the game, and whose homes are sound; none if the device that closed the group did
    /// not have it. Nil while every device must have it.
    private var gameHolders: [LaneKey]?
    private var accounts: [Int: GroupAccount] = [:]

    static let game = GameID(Bytes16(0x5EED, 1))
    private static let mostDropped = 400
    /// The zones that devices have open which nobody shut out.
    var openZones: () -> [GroupZone] = { [] }

    init(nodes: Int, random: inout any RandomSource) {
        // The owner's two devices are honest: a dishonest owner may do anything to its group.
        var isDishonest = (0..<nodes).map { $0 >= 2 && Int.random(in: 0..<3, using: &random) == 0 }
        for index in isDishonest.indices where index % 6 == 5 { isDishonest[index] = isDishonest[2] }
        self.isDishonest = isDishonest
        devices = Array(0..<nodes)
    }

    func isHonest(_ node: Int) -> Bool { !isDishonest[node] && stolen[node] == nil }

    func loseGame() { gameHolders = [] }

    /// Damage may have taken the game from the others, too, or nobody meets those any more that held it.
    func isGameLost(_ state: LedgerState) -> Bool { gameHolders?.contains { isMet($0, state) } == false }

    func count(_ deed: GroupDeed) { counts[deed, default: 0] += 1 }

    /// Devices 0 and 1 are the owner's; each sixth is another of the third member. A new home is on the node that it is
    /// named for.
    func person(ofDevice device: Int) -> Int {
        let number = device % devices.count
        return number == 1 ? 0 : number % 6 == 5 ? 2 : number
    }

    func person(of node: Int) -> Int { person(ofDevice: devices[node]) }

    func account(ofNode node: Int) -> GroupAccount { account(of: person(of: node)) }

    /// A node starts on a home, which may be new, or a copy of another node's.
    func settle(_ node: Int, device: Int) {
        guard device != devices[node] else { return }
        account(ofNode: node).forget(node)
        devices[node] = device
        // Nobody has what the person was, or can let it in.
        if device >= devices.count, !hasOther(node) { account(ofNode: node).beginAnew() }
    }

    /// A home stays with those of its kind, so that it shows what to expect of it.
    func mayCopy(from node: Int, to other: Int) -> Bool {
        stolen[node] == nil && stolen[other] == nil && isHonest(node) == isHonest(other)
    }

    func account(of person: Int) -> GroupAccount {
        if let known = accounts[person] { return known }
        let account = GroupAccount()
        accounts[person] = account
        return account
    }

    /// Another device of a person's may know what this one has forgotten.
    func hasOther(_ node: Int, of person: Int? = nil) -> Bool {
        let person = person ?? self.person(of: node)
        return devices.indices.contains {
            $0 != node && self.person(of: $0) == person && stolen[$0] == nil && !gone.contains($0)
        }
    }

    /// Whether a device waits for one of its person's to let it in, and there is none in the group; or came by a lane
    /// that was removed since, which it would hear from its account.
    ///
    /// - Parameter lanes: by living node, the lane that its home writes. A home that went back to the time before it
    ///   was in has none: what its device once said of a lane lets in nobody.
    func isStranded(_ node: Int, in zone: GroupZone, _ state: LedgerState, lanes: [Int: LaneID]) -> Bool {
        if zone.lacking != nil {
            return !account(ofNode: node).claims.contains { other, claim in
                other != node && lanes[other] == claim.lane
                    && state.standing(of: LaneKey(claim.lane, of: zone.member)) == .active
            }
        }
        // A lane that a Remove names as a child stands nevertheless.
        return state.standing(of: zone.membership.own) != .active
            && Self.way(of: zone).contains { state.standing(of: $0) == .removed }
    }

    /// The lanes that let in a device's own, one after the other, as it knows.
    static func way(of zone: GroupZone) -> [LaneKey] { way(to: zone.membership.own, zone.state) }

    private static func way(to key: LaneKey, _ state: LedgerState) -> [LaneKey] {
        var way: [LaneKey] = []
        var lane = key
        for _ in state.enteredLanes {
            guard case .lane(let up) = state.wayIn(of: lane)?.by else { break }
            lane = LaneKey(up, of: key.member)
            way.append(lane)
        }
        return way
    }

    /// A device's own lane and those that it succeeded, as it knows.
    private static func line(of zone: GroupZone) -> [LaneKey] {
        var line = [zone.membership.own]
        for lane in way(of: zone) {
            guard let last = line.last, let way = zone.state.wayIn(of: last),
                case .enter(let enter)? = zone.state.set[way.enter]?.act, enter.succeeds == lane.lane
            else { break }
            line.append(lane)
        }
        return line
    }

    func note(writer node: Int, of lane: LaneID) { homes.writers[lane, default: []].insert(node) }

    /// The acknowledged posts of a member that a node sees.
    func posts(of member: MemberID, seenBy zone: GroupZone) throws -> [Int] {
        try posts.indices.filter { try posts[$0].member == member && holds(posts[$0], zone) }
    }

    private func holds(_ post: Post, _ zone: GroupZone) throws -> Bool {
        try zone.score(of: post.member, day: post.day, game: Self.game)?.score == post.score
    }

    /// Notes which of the posts that damage may have taken a device holds, and of whose leaving it has heard.
    func look(at zone: GroupZone) throws {
        hear(zone)
        for index in posts.indices where try posts[index].holders != nil && holds(posts[index], zone) {
            posts[index].holders?.insert(zone.membership.own)
        }
    }

    func hear(_ zone: GroupZone) {
        guard !left.isEmpty else { return }
        let state = zone.state
        for member in left.keys where member != zone.member && state.hasLeft(member) {
            left[member]?.heardBy.insert(zone.membership.own)
        }
    }

    /// Whether others meet the device that writes a lane. A state may have lost the Remove of one that was shut out,
    /// and may not know why another is silent, of a member who left and told only such a one, or of one who is somebody
    /// else now.
    func isMet(_ lane: LaneKey, _ state: LedgerState) -> Bool {
        [.active, .succeeded].contains(state.standing(of: lane)) && state.members[lane.member] != nil
            && left[lane.member] == nil && !silent.members.contains(lane.member) && !isShutOut(lane) && !isSilent(lane)
    }

    func isSilent(_ lane: LaneKey) -> Bool { silent.lanes.contains(lane) }

    /// Notes which devices were shown their member's dismissal that damage may have taken from all others: they meet
    /// nobody until they ask again, after ten minutes, and give what they have only then. Also notes which withdrew,
    /// and which members a device writes for after all.
    func noteSilent(_ nodes: [GroupNode]) {
        for node in nodes where !node.isStolen {
            if let zone = node.zone { silent.members.remove(zone.member) }
        }
        silent.lanes = Set(
            nodes.flatMap { node in
                guard let zone = node.zone, node.hasWithdrawn || isShownOut(zone) else { return [LaneKey]() }
                return Self.line(of: zone)
            })
    }

    func isShownOut(_ zone: GroupZone) -> Bool {
        zone.access == .removed && removed[zone.member]?.mayBeForgotten == true
    }

    /// The members with a device that was shut out and is back: everybody takes what its finder does for theirs.
    func robbed(_ state: LedgerState) -> Set<MemberID> { Set(back(state).map(\.member)) }

    private func back(_ state: LedgerState) -> Set<LaneKey> {
        Set(
            stolen.values.filter { $0.mayBeBack && [.active, .succeeded].contains(state.standing(of: $0.lane)) }
                .map(\.lane))
    }

    /// The lane's device started the group's end; or it is a device of the owner's that is back, or was let in by one:
    /// its finder has the owner's rights.
    func mayClose(_ lane: LaneID, _ state: LedgerState) -> Bool {
        let own = LaneKey(lane, of: state.owner)
        return closing.contains(lane) || !back(state).isDisjoint(with: [own] + Self.way(to: own, state))
    }

    /// Damage may have taken a member's leaving from all that had heard of it, or nobody meets those any more.
    func isLeavingLost(of member: MemberID, _ state: LedgerState) -> Bool {
        guard let leaving = left[member] else { return false }
        return leaving.mayBeForgotten
            || !leaving.heardBy.isEmpty && !leaving.heardBy.contains { isMet($0, state) }
    }

    /// A person comes by another token, having been told of a dismissal, and lets its copy of the group go: what only
    /// its devices had goes with it. What another has stays, also where that one must keep it aside for a while: a
    /// device that was shut out meanwhile may have dismissed the member, or closed the group.
    func giveUp(_ member: MemberID) {
        silent.members.insert(member)
        let others = openZones().filter { $0.member != member }
        // What damage may have taken is looked for anyway.
        for index in posts.indices where posts[index].member == member && posts[index].holders == nil {
            let post = posts[index]
            posts[index].holders = Set(others.filter { Self.has(post, $0) }.map(\.membership.own))
        }
    }

    /// Nobody else wrote in a lane of which no home was damaged.
    private static func has(_ post: Post, _ zone: GroupZone) -> Bool {
        var isHere = false
        // A disk that fails when it is asked counts as one without it.
        try? RowArrivals(zone.store).forEach(of: post.lane) { encoded, _, _ in
            isHere = try isHere || Record(encoded: encoded).seq == post.seq
        }
        return isHere
    }

    // MARK: Damage

    /// A node's home is damaged: what it alone had may be gone, and what others hold must stay.
    func damage(_ node: Int) {
        let others = openZones()
        homes.damaged.insert(node)
        func isSafe(_ lane: LaneID) -> Bool {
            homes.writers[lane].map { homes.damaged.isDisjoint(with: $0) } ?? false
        }
        for index in posts.indices
        where !isSafe(posts[index].lane) || isShutOut(posts[index]) || silent.members.contains(posts[index].member) {
            posts[index].holders = []
        }
        // A disk that fails when it is asked counts as one without them.
        for zone in others { try? look(at: zone) }
        if gameHolders?.isEmpty != true {
            gameHolders = others.filter { isSafe($0.lane) && !$0.catalogue.games.isEmpty }.map(\.membership.own)
        }
        // Once a device is shut out, nobody hears what it wrote from it, nor from the member that it is about.
        func isKnown(_ lane: LaneID, besides member: MemberID? = nil, _ condition: (LedgerState) -> Bool) -> Bool {
            isSafe(lane) && !stolen.values.contains { $0.lane.lane == lane }
                || others.contains { $0.member != member && condition($0.state) }
        }
        for (node, theft) in stolen where !isKnown(theft.by, { $0.standing(of: theft.lane) == .removed }) {
            stolen[node]?.mayBeBack = true
        }
        for (member, dismissal) in removed
        where !isKnown(dismissal.by, besides: member, { $0.isDismissed(member) }) {
            removed[member]?.mayBeForgotten = true
        }
        lowered = lowered.filter { member, lane in isKnown(lane) { $0.role(of: member) <= .viewer } }
        closedBy = closedBy.filter { lane, _ in isKnown(lane) { $0.isClosed } }
        // The member's own devices tell nobody any more.
        for member in left.keys where !others.contains(where: { $0.member != member && $0.state.hasLeft(member) }) {
            left[member]?.mayBeForgotten = true
        }
        for index in posts.indices {
            posts[index].keptBy = posts[index].keptBy.filter(isSafe)
            posts[index].outlivesDevice = false
        }
    }

    private func isShutOut(_ post: Post) -> Bool { isShutOut(LaneKey(post.lane, of: post.member)) }

    private func isShutOut(_ lane: LaneKey) -> Bool { stolen.values.contains { $0.lane == lane } }

    // MARK: What the dishonest pass on

    func drop(_ record: LedgerRecord) {
        if dropped.records.count < Self.mostDropped { dropped.records.append(record.encoded) }
    }

    func drop(_ row: Record) {
        if dropped.rows.count < Self.mostDropped { dropped.rows.append(row) }
    }
}
