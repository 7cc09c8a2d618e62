import LeaderboardShare
import Ledger
import NodeCore
import SyncState

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

    /// A node is not this person's any more.
    func forget(_ node: Int) {
        contents.claims[node] = nil
        if contents.seeker == node { contents.seeker = nil }
        revision += 1
    }

    /// The person comes back, as another member.
    func beginAnew() {
        (contents.keys, contents.seeker, contents.claims) = (nil, nil, [:])
        contents.life += 1
        revision += 1
    }

    /// The only device that knew it went back in time.
    func putBack(_ contents: Contents) {
        self.contents = contents
        revision += 1
    }
}
