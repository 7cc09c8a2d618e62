import Chat
import Gossip
import Node
import NodeCore
import SyncState

/// What is told of a message whose body is not here: as of a message, without `body`, and why that is so.
struct StubReport {
    package let node: LocalNode
    package let account: NodeAccount

    package func json(_ stub: Stub) -> JSONValue { .object(fields(stub)) }

    package func fields(_ stub: Stub) -> [String: JSONValue] {
        let search = served?.sync.search(for: stub.txid)
        var fields: [String: JSONValue] = [
            "txid": .string(stub.txid.hex), "direction": .string(stub.direction == .sent ? "sent" : "received"),
            "senderTs": .number(stub.senderTimestamp), "status": .string("syncing"), "read": .bool(true),
            "cursor": .string(stub.cursor.text), "hintedAt": .number(stub.hintedAt.milliseconds),
            "waitingFor": .string(reason(search)), "nextTry": .optional(nextTry(search)?.milliseconds),
        ]
        if let conversation = stub.conversationID { fields["conversationId"] = .string(conversation) }
        if let contact = stub.contact { fields["contact"] = .string(contact) }
        if let blockTime = stub.blockTime { fields["blockTime"] = .number(blockTime) }
        if let score = stub.acceptingDaaScore { fields["acceptingDaaScore"] = .number(score) }
        return fields
    }

    private var served: ServedZone? { node.network?.served(account) }

    private func wall(_ time: MonotonicTime) -> WallTime { node.clock.wall() + (time - node.clock.now()) }

    /// A stub that just came is asked for at the end of the turn.
    private func nextTry(_ search: StubSearch?) -> WallTime? {
        node.network == nil ? nil : search.map { wall($0.nextAt) } ?? node.clock.wall()
    }

    private func reason(_ search: StubSearch?) -> String {
        let waiting = "waiting for a device that has it"
        guard let network = node.network else { return "\(waiting); this node is not running" }
        if account.isPaused { return "\(waiting); the account is paused" }
        if search?.isLocated == true { return "the part of the archive that should hold it is being fetched" }
        let isAlone = network.sessionCount(account) == 0
        guard let askedAt = search?.askedAt else { return "\(waiting); \(isAlone ? "none is in reach" : "asking now")" }
        let time = CivilTime(milliseconds: wall(askedAt).milliseconds).text
        return "\(waiting); \(isAlone ? "none is in reach, " : "")last asked \(time) UTC"
    }
}
