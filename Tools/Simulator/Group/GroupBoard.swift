import Chat
import LeaderboardShare
import NodeCore
import SyncState

/// What the people of a simulated group know of each other outside of it: tokens that were handed over, what was posted
/// and acknowledged, whom the owner removed. One for all nodes of a run.
package final class GroupBoard {
    struct Post {
        let member: MemberID
        let day: Day
        let score: UInt32
    }

    struct Issued {
        let token: GroupToken
        /// Of the invitation.
        let invitation: RecordHash
        let uses: UInt32
        let isHonest: Bool
    }

    /// Who breaks the rules, by node.
    let isDishonest: [Bool]
    var tokens: [Issued] = []
    /// Acknowledged, by those who keep the rules.
    var posts: [Post] = []
    /// Acknowledged removals.
    var removed: Set<MemberID> = []
    /// Who keeps the rules.
    var honest: Set<MemberID> = []
    /// To whom the group may have gone: whoever accepted, whether or not that became durable.
    var accepted: Set<MemberID> = []
    /// Whose leaving was acknowledged, and who did not seek to come back.
    var left: Set<MemberID> = []
    /// The deletion of the group was begun; was acknowledged.
    var isClosing = false
    var isClosed = false
    /// What a member's devices need, told by the one that joined.
    var roots: [MemberID: [EpochRoot]] = [:]
    var group: ZoneID?
    /// Rows that those who break the rules give each other.
    var drop: [Record] = []
    private(set) var counts: [GroupDeed: Int] = [:]

    static let game = GameID(Bytes16(0x5EED, 1))

    init(nodes: Int, random: inout any RandomSource) {
        // The owner's two devices keep the rules: what a dishonest owner does to its group is its right.
        var isDishonest = (0..<nodes).map { $0 >= 2 && Int.random(in: 0..<3, using: &random) == 0 }
        for index in isDishonest.indices where index % 6 == 5 { isDishonest[index] = isDishonest[2] }
        self.isDishonest = isDishonest
    }

    func count(_ deed: GroupDeed) { counts[deed, default: 0] += 1 }
}
