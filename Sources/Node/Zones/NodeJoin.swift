package import LeaderboardShare
package import NodeCore
import SyncState

/// A pending join: its token, and the attempt that seeks a member while the node runs.
package final class NodeJoin {
    package let pending: PendingJoin
    /// The person's chosen name in the group.
    package let name: String?
    package let attempt: JoinAttempt
    /// Whether it was begun before this start: another device of the account may have come in meanwhile. It seeks once
    /// the account has heard from those in reach.
    var isOfFormerRun = false
    /// The machine is seeking a member.
    var isSeeking = false
    /// A member refused it.
    package internal(set) var isOver = false

    package var group: ZoneID { pending.token.group }

    init(_ pending: PendingJoin, name: String?, deviceSecret: Secret) {
        self.pending = pending
        self.name = name
        var random: any RandomSource = SystemRandom()
        attempt = JoinAttempt(pending, deviceSecret: deviceSecret, random: &random)
    }

    /// Restores a stored join; nil for one stored by another version.
    convenience init?(stored: [UInt8], deviceSecret: Secret) {
        guard var reader = try? CBORReader(stored, array: 2),
            let content = try? reader.readBytes(max: LeaderboardShare.Limits.tokenInputBytes + 64),
            let pending = try? PendingJoin(encoded: content),
            let name = try? reader.readText(max: Limits.joinNameBytes), (try? reader.finish()) != nil
        else { return nil }
        self.init(pending, name: name.isEmpty ? nil : name, deviceSecret: deviceSecret)
        isOfFormerRun = true
    }

    /// `[pending join, name or empty]`; a secret.
    package var encoded: [UInt8] {
        CBORWriter.array(pending.encoded, name ?? "")
    }

    /// The event that the join is waiting for, or why it is over.
    package var waitsFor: String {
        switch attempt.state {
        case .waiting(let reason?): "\(reason)"
        case .waiting(nil):
            isSeeking
                ? "waiting for a member to come into reach"
                : "waiting for the node to run, and to hear from your other devices"
        case .welcomed: "admitted; receiving the group"
        case .refused(let reason):
            attempt.successor.map {
                "the group was closed and replaced by the group \($0.shortHex): ask a member for an invitation there"
            } ?? "\(reason)"
        }
    }
}
