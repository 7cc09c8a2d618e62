import Chat
import LeaderboardShare
import NodeCore
import SyncState

/// Facts about a simulated group that are known outside of it: tokens handed over, acknowledged posts, and members
/// removed by the owner. Shared by all nodes of a run.
package final class GroupBoard {
    struct Post {
        let member: MemberID
        let day: Day
        let score: UInt32
    }

    struct Issued {
        let token: GroupToken
        /// The invitation's record.
        let invitation: RecordHash
        let uses: UInt32
        let isHonest: Bool
    }

    /// By node: true if it is dishonest.
    let isDishonest: [Bool]
    var tokens: [Issued] = []
    /// Acknowledged posts of honest nodes.
    var posts: [Post] = []
    /// Acknowledged removals.
    var removed: Set<MemberID> = []
    /// The honest members.
    var honest: Set<MemberID> = []
    /// Possible new owners: all who accepted, whether or not that became durable.
    var accepted: Set<MemberID> = []
    /// Members whose leaving was acknowledged and who did not try to return.
    var left: Set<MemberID> = []
    /// True once the group's deletion was started, and once it was acknowledged.
    var isClosing = false
    var isClosed = false
    /// The roots a member's devices need, provided by the one that joined.
    var roots: [MemberID: [EpochRoot]] = [:]
    var group: ZoneID?
    /// Rows that dishonest nodes pass to each other.
    var drop: [Record] = []
    private(set) var counts: [GroupDeed: Int] = [:]

    static let game = GameID(Bytes16(0x5EED, 1))

    init(nodes: Int, random: inout any RandomSource) {
        // The owner's two devices are honest: a dishonest owner may do anything to its group.
        var isDishonest = (0..<nodes).map { $0 >= 2 && Int.random(in: 0..<3, using: &random) == 0 }
        for index in isDishonest.indices where index % 6 == 5 { isDishonest[index] = isDishonest[2] }
        self.isDishonest = isDishonest
    }

    func count(_ deed: GroupDeed) { counts[deed, default: 0] += 1 }
}
