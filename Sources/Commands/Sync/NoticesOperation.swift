import Chat
import LeaderboardShare
import Node
import NodeCore
import NodeModel
import SyncState

/// `notices`: the changes of the feed that are worth a notification.
final class NoticesOperation: Operation {
    let changesData = false
    private let account: NodeAccount
    private let clock: any Clock
    private let follows: Bool
    /// It begins with its place, from which a reader who was cut off continues.
    private var saysPlace: Bool
    /// Whether the caller may hear of chats, and of groups.
    private let (hasChats, hasGroups): (Bool, Bool)
    /// Nil for all kinds.
    private let kinds: Set<Notice.Kind>?
    private var remaining: Int
    /// After the last entry examined; nil for the oldest kept.
    private var place: ChangeToken?
    private var seen: UInt64?
    private var streaks = StreakWatch()
    /// Each group's board at the last look, and the number of posts by then.
    private var boards: [ZoneID: (board: GroupBoard, posted: Int)] = [:]

    private var feed: ChangeFeed { account.zone.changes }

    private static let words = Notice.Kind.allCases.filter { $0 != .here }.map(\.rawValue)
    static let kinds = Parameter.texts(
        "--kind", .choice("KIND", words), "only these kinds: message, score, overtaken, streak")
    static let requestedKinds = kinds.requested(
        .choices(words), help: "only these kinds, separated by commas or blanks: message, score, overtaken, streak")
    static let since = Parameter.text(
        "--since", .text("TOKEN"), "after this token; `0` is the oldest kept, `now` the newest (default)")
    static let limit = ChangesOperation.limit
    static let follow = ChangesOperation.follow
    static let placeFirst = Parameter.flag("place first", "begin with a notice of the place")

    init(_ call: Call) throws {
        account = try call.account
        clock = call.clock
        follows = call.has(Self.follow)
        saysPlace = call.has(Self.placeFirst)
        hasChats = !call.request.has(NodeService.withoutChats)
        hasGroups = !call.request.has(NodeService.withoutGroups)
        kinds = call[Self.kinds].map { Set($0.compactMap(Notice.Kind.init)) }
        remaining = call[Self.limit] ?? .max
        place = try ChangeToken.place(call[Self.since] ?? "now", Self.since, in: account.zone.changes)
        for group in groups { _ = try notices(of: group) }
    }

    private var groups: [NodeGroup] { hasGroups ? account.groups.filter(\.isIn) : [] }

    var isReady: Bool { seen.map { $0 != feed.latest } ?? false }

    func step(input: inout InputLines, reply: inout CommandReply, now: MonotonicTime) throws -> OperationProgress {
        seen = nil
        // An unknown place is an error before anything is said.
        let start = try place.map { try feed.number(of: $0) } ?? 0
        if saysPlace, let place {
            var here = Notice(.here, "")
            here.token = place.text
            reply.data(here)
        }
        saysPlace = false
        if let left = streaks.secondsLeft(clock.wall()) {
            for group in groups {
                let notices = try StreakWatch.notices(group, today: Day(clock.wall()), secondsLeft: left)
                for notice in notices { give(notice, &reply) }
            }
        }
        let entries = try feed.read(after: start, limit: Limits.noticesSlice)
        // All notices of one change, whatever the limit: they share its place, from which the next call continues.
        for entry in entries where remaining > 0 {
            place = entry.token
            for notice in try notices(of: entry) { give(notice, &reply) }
        }
        if remaining <= 0 { return .done }
        if entries.count == Limits.noticesSlice { return .again }
        guard follows else { return .done }
        seen = feed.latest
        return .waiting(until: now + Limits.streakLook)
    }

    private func give(_ notice: Notice, _ reply: inout CommandReply) {
        guard kinds?.contains(notice.kind) ?? true else { return }
        remaining -= 1
        var notice = notice
        notice.text = Terminal.harmless(notice.text)
        notice.token = place?.text
        reply.data(notice)
    }

    private func notices(of entry: ChangeEntry) throws -> [Notice] {
        switch entry.group.kind {
        case .messageAdded, .messageResolved: return hasChats ? try message(entry.group).map { [$0] } ?? [] : []
        case .group, .groupJoined:
            guard let group = groups.first(where: { $0.zone.zone == entry.group.group }) else { return [] }
            return try notices(of: group)
        default: return []
        }
    }

    /// News of the group since the last look; none at the first look.
    private func notices(of group: NodeGroup) throws -> [Notice] {
        let board = try GroupBoard(group, today: Day(clock.wall()))
        let before = boards.updateValue((board, group.posted.count), forKey: group.zone.zone)
        return before.map { board.notices(since: $0.board, posted: group.posted.after($0.posted)) } ?? []
    }

    /// A notice about unread messages, unless the conversation is muted or they are old history.
    private func message(_ change: ChangeGroup) throws -> Notice? {
        let chat = account.zone.chat
        guard let id = change.conversation, let summary = try chat.conversation(id), summary.unread > 0,
            summary.details?.isMuted?.value != true
        else { return nil }
        let new = try change.txids.compactMap { try chat.message($0) }.filter { listed in
            listed.message.direction == .received && !listed.isRead
                && isRecent(listed.message.blockTime, listed.message.senderTimestamp)
        }
        let areNamed = !change.txids.isEmpty
        guard areNamed ? !new.isEmpty : isRecent(summary.lastBlockTime, summary.lastSenderTimestamp) else { return nil }
        let count = areNamed ? new.count : min(change.count, summary.unread)
        let name = summary.title ?? summary.contact
        var notice = Notice(
            .message, count == 1 ? "New message from \(name)" : "\(Wording.grouped(count)) new messages from \(name)")
        notice.conversationId = id
        notice.title = summary.title
        notice.contact = summary.contact
        notice.count = count
        notice.unread = summary.unread
        notice.txids = new.map(\.message.txid.hex)
        return notice
    }

    /// - Parameter blockTime: in milliseconds; the sender's clock is in seconds.
    private func isRecent(_ blockTime: UInt64?, _ senderTimestamp: UInt64?) -> Bool {
        let seconds = blockTime.map { $0 / 1000 } ?? senderTimestamp ?? 0
        return Int64(clamping: seconds) >= (clock.wall() - Limits.noticeAge).milliseconds / 1000
    }
}
