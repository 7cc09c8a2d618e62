import Chat
import Node
import NodeCore
import NodeModel
import SyncState

/// `changes`: entries of the change feed after a token; it may wait for the first, or follow the feed.
///
/// It reads committed entries only, at its reader's pace: the node stores only its place.
final class ChangesOperation: Operation {
    let changesData = false

    private enum Wait {
        case no
        /// For the first entry, at most this long.
        case first(Duration)
        case always
    }

    private let feed: ChangeFeed
    private let wait: Wait
    private let hasChats: Bool
    private var remaining: Int
    /// After the last entry given; nil for the oldest kept.
    private var place: ChangeToken?
    private var deadline: MonotonicTime?
    private var saysPlace = false
    private var hasGiven = false
    /// The newest entry when there was nothing to give.
    private var seen: UInt64?

    static let since = Parameter.text(
        "--since", .text("TOKEN"), "after this token; `0` is the oldest kept (default), `now` the newest")
    static let requestedSince = since.requested(
        .pattern("^(now|0|[0-9a-fA-F]{36})$"), help: "a token, `now` for the newest change, or 0 for the oldest kept")
    static let wait = Parameter.seconds("--wait", upTo: 86_400, "wait up to that time for the first change")
        .requested(.value(.seconds(upTo: Limits.apiWaitSeconds)))
    static let limit = Parameter.number("--limit", "N", 1...1_000_000, "maximum number of lines")
    static let follow = Parameter.flag("--follow", "continue until interrupted")

    init(_ call: Call) throws {
        feed = try call.account.zone.changes
        hasChats = !call.request.has(NodeService.withoutChats)
        remaining = call[Self.limit] ?? .max
        wait = call.has(Self.follow) ? .always : call[Self.wait].map { .first($0) } ?? .no
        let since = call[Self.since] ?? "0"
        saysPlace = since == "now"
        place = try ChangeToken.place(since, Self.since, in: feed)
    }

    var isReady: Bool { seen.map { $0 != feed.latest } ?? false }

    func step(input: inout InputLines, reply: inout CommandReply, now: MonotonicTime) throws -> OperationProgress {
        seen = nil
        if saysPlace, let place {
            saysPlace = false
            reply.data(NodeModel.Change(.here, at: ChangePlace(token: place.text)))
        }
        let wanted = min(remaining, Limits.changesSlice)
        let start = try place.map { try feed.number(of: $0) } ?? 0
        let entries = try feed.read(after: start, limit: wanted)
        let given = entries.filter { hasChats || !$0.group.kind.isAboutChats }
        for entry in given { reply.data(NodeModel.Change(entry)) }
        if let last = entries.last { place = last.token }
        hasGiven = hasGiven || !given.isEmpty
        remaining -= given.count
        if remaining == 0 { return .done }
        if entries.count == wanted { return .again }
        return pause(now)
    }

    /// Called when all entries were given.
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
    /// The place that `--since` names; nil is before the oldest entry kept.
    static func place(_ since: String, _ parameter: Parameter<String>, in feed: ChangeFeed) throws -> ChangeToken? {
        if since == "0" { return nil }
        if since == "now" { return try feed.latestToken() }
        guard let token = ChangeToken(text: since) else {
            throw NodeError.wrong(parameter, "must be a token from `changes`, `0` for the oldest, or `now`")
        }
        return token
    }
}

extension NodeModel.Change {
    /// The kind decides which ids are set.
    init(_ entry: ChangeEntry) {
        let group = entry.group
        self.init(Kind(rawValue: group.kind.word), at: ChangePlace(token: entry.token.text))
        at = Int(entry.at.milliseconds)
        conversationId = group.conversation
        deviceId = group.device?.hex
        groupId = group.group?.hex
        state = group.state
        guard group.kind.isAboutMessages || group.count == 1 && !group.txids.isEmpty else { return }
        count = group.count
        txids = group.txids.map(\.hex)
    }
}
