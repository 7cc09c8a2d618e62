import Chat
package import LeaderboardShare
package import NodeCore
import SyncState

/// A pending join: its token, and the attempt that seeks a member while the node runs.
package final class NodeJoin {
    package private(set) var pending: PendingJoin
    /// The person's chosen name in the group.
    package let name: String?
    package private(set) var attempt: JoinAttempt
    /// The machine is seeking a member.
    var isSeeking = false

    private static let nameBytes = 320

    package var group: ZoneID { pending.token.group }

    init(_ pending: PendingJoin, name: String?, account: NodeAccount) {
        self.pending = pending
        self.name = name
        attempt = Self.attempt(pending, account)
    }

    /// Restores a stored join; nil for one stored by another version.
    convenience init?(stored: [UInt8], account: NodeAccount) {
        var reader = CBORReader(stored)
        guard (try? reader.readArray(max: 2)) == 2,
            let content = try? reader.readBytes(max: LeaderboardShare.Limits.tokenInputBytes + 64),
            let pending = try? PendingJoin(encoded: content),
            let name = try? reader.readText(max: Self.nameBytes), (try? reader.finish()) != nil
        else { return nil }
        self.init(pending, name: name.isEmpty ? nil : name, account: account)
    }

    /// `[pending join, name or empty]`; a secret.
    package var encoded: [UInt8] {
        var writer = CBORWriter()
        writer.writeArray(2)
        writer.write(bytes: pending.encoded)
        writer.write(text: name ?? "")
        return writer.bytes
    }

    /// The key was removed from the group, so it continues with the next one. False if there were too many.
    func takeNextKey(_ account: NodeAccount) -> Bool {
        guard let next = pending.withNextKey else { return false }
        pending = next
        attempt = Self.attempt(next, account)
        return true
    }

    package func seed(_ account: NodeAccount) -> Secret { Self.seed(pending, account) }

    /// The input for deriving the member's key: that of an earlier membership, if there was one.
    package func context(_ account: NodeAccount) -> Bytes32 { Self.context(pending, account) }

    private static func context(_ pending: PendingJoin, _ account: NodeAccount) -> Bytes32 {
        account.zone.groups.membership(of: pending.token.group)?.context ?? pending.token.group.storage
    }

    private static func seed(_ pending: PendingJoin, _ account: NodeAccount) -> Secret {
        account.zone.keys.memberSeed(context: context(pending, account), removals: pending.removals)
    }

    private static func attempt(_ pending: PendingJoin, _ account: NodeAccount) -> JoinAttempt {
        JoinAttempt(pending, memberSeed: seed(pending, account))
    }

    /// The event that the join is waiting for.
    package var waitsFor: String {
        switch attempt.state {
        case .waiting(let reason?): "\(reason)"
        case .waiting(nil): isSeeking ? "waiting for a member to come into reach" : "waiting for the node to run"
        case .welcomed: "admitted; receiving the group"
        case .refused(let reason): "\(reason)"
        }
    }
}
