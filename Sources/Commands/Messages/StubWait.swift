import Chat
import Gossip
import Node
import NodeCore
import SyncState

/// The reason that a message has no body yet, and the next attempt.
struct StubWait {
    /// In a sentence.
    let reason: String
    /// The next time a device is asked for it; nil if no node runs.
    let nextTry: WallTime?

    init(_ txid: TxID, _ account: NodeAccount, _ node: LocalNode) {
        let search = node.network?.served(account)?.sync.search(for: txid)
        func wall(_ time: MonotonicTime) -> WallTime { node.clock.wall() + (time - node.clock.now()) }
        // A new stub is asked for at the end of the turn.
        nextTry = node.network == nil ? nil : search.map { wall($0.nextAt) } ?? node.clock.wall()
        let rest = Self.rest(search, account, node) { CivilTime(milliseconds: wall($0).milliseconds).text }
        reason =
            search?.isLocated == true && node.network != nil && !account.isPaused
            ? rest : "waiting for a device that has it; \(rest)"
    }

    private static func rest(
        _ search: StubSearch?, _ account: NodeAccount, _ node: LocalNode, time: (MonotonicTime) -> String
    ) -> String {
        guard let network = node.network else { return "this node is not running" }
        if account.isPaused { return "the account is paused" }
        if search?.isLocated == true { return "the part of the archive that should hold it is being fetched" }
        let isAlone = network.sessionCount(account) == 0
        guard let askedAt = search?.askedAt else { return isAlone ? "none is in reach" : "asking now" }
        return "\(isAlone ? "none is in reach, " : "")last asked \(time(askedAt)) UTC"
    }
}
