package import Chat
package import JSONLines
package import Node
import NodeCore
import SyncState

/// `changes`: entries of the change feed from a token on; it may wait for the first, or go on as they come.
///
/// It reads what is committed only, and no faster than its reader takes: nothing is kept for it but its place.
final class ChangesOperation: ControlOperation {
    let changesData = false

    /// The argument by which the API leaves out what its caller may not see.
    static let withoutChats = "without chats"

    private enum Wait {
        case no
        /// For the first entry, so long.
        case first(Duration)
        case always
    }

    private let feed: ChangeFeed
    private let wait: Wait
    private let hasChats: Bool
    private var remaining: Int
    /// Behind what was given last; nil for the oldest kept.
    private var place: ChangeToken?
    private var deadline: MonotonicTime?
    private var saysPlace = false
    private var hasGiven = false
    /// The newest entry when it was found that there is nothing to give.
    private var seen: UInt64?

    init(account: NodeAccount, request: ControlRequest) throws(NodeError) {
        feed = account.zone.changes
        hasChats = !request.has(Self.withoutChats)
        remaining = request.number("--limit").map { Int(clamping: $0) } ?? .max
        if request.has("--follow") {
            wait = .always
        } else if let text = request.text("--wait") {
            guard let time = milliseconds(text) else { throw NodeError(.usage, "--wait must be a number of seconds") }
            wait = .first(.milliseconds(time))
        } else {
            wait = .no
        }
        let since = request.text("--since") ?? "0"
        saysPlace = since == "now"
        place = try ChangeToken.place(since, in: feed)
    }

    var isReady: Bool { seen.map { $0 != feed.latest } ?? false }

    package func step(
        input: inout ControlInput, reply: inout ControlReply, now: MonotonicTime
    ) throws(NodeError) -> OperationProgress {
        seen = nil
        if saysPlace, let place {
            saysPlace = false
            reply.data(.object(["kind": .string("here"), "token": .string(place.text)]))
        }
        let wanted = min(remaining, Limits.changesSlice)
        do {
            let start = try place.map { try feed.number(of: $0) } ?? 0
            let entries = try feed.read(after: start, limit: wanted)
            let given = entries.filter { hasChats || !$0.group.kind.isAboutChats }
            for entry in given { reply.data(entry.json) }
            if let last = entries.last { place = last.token }
            hasGiven = hasGiven || !given.isEmpty
            remaining -= given.count
            if remaining == 0 { return .done }
            if entries.count == wanted { return .again }
        } catch {
            throw NodeError(cause: error)
        }
        return pause(now)
    }

    /// All that there is was given.
    private func pause(_ now: MonotonicTime) -> OperationProgress {
        switch wait {
        case .no: return .done
        case .always:
            seen = feed.latest
            return .needsInput
        case .first(let time):
            let deadline = deadline ?? now + time
            self.deadline = deadline
            guard !hasGiven, now < deadline else { return .done }
            seen = feed.latest
            return .waiting(until: deadline)
        }
    }
}

extension ChangeToken {
    /// What `--since` names; nil is before the oldest that is kept.
    package static func place(_ since: String, in feed: ChangeFeed) throws(NodeError) -> ChangeToken? {
        if since == "0" { return nil }
        if since != "now" {
            guard let token = ChangeToken(text: since) else {
                throw NodeError(.usage, "--since must be a token that `changes` has shown, 0 for the oldest, or now")
            }
            return token
        }
        do {
            return try feed.latestToken()
        } catch {
            throw NodeError(cause: error)
        }
    }
}

extension ChangeEntry {
    /// As `changes` gives it: which ids there are depends on the kind.
    package var json: JSONValue {
        var fields: [String: JSONValue] = [
            "token": .string(token.text), "kind": .string(group.kind.word), "at": .int(at.milliseconds),
        ]
        if let conversation = group.conversation { fields["conversationId"] = .string(conversation) }
        if let device = group.device { fields["deviceId"] = .string(device.hex) }
        if let id = group.group { fields["groupId"] = .string(id.hex) }
        if let state = group.state { fields["state"] = .string(state) }
        if group.count == 1, let txid = group.txids.first {
            fields["txid"] = .string(txid.hex)
        } else if group.kind.isAboutMessages {
            fields["count"] = .number(group.count)
            if !group.txids.isEmpty { fields["txids"] = .array(group.txids.map { .string($0.hex) }) }
        }
        return .object(fields)
    }
}
