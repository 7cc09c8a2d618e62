import Chat
import Node
import NodeCore
import NodeModel
import SyncState

/// `export`: every message, conversation by conversation in the order of their ids, newest first in each; then, on
/// request and for an archive, details of the conversations. It runs at the reader's pace: a slice is taken only when
/// the one before has left.
final class ExportOperation: Operation {
    let changesData = false
    private let account: NodeAccount
    private let isArchive: Bool
    private let hasStates: Bool
    private var hasBegun = false
    private var walk: MessageWalk
    private let messages: Int
    private var given = 0
    /// The next time to tell the progress.
    private var next: MonotonicTime?

    init(account: NodeAccount, isArchive: Bool, hasStates: Bool) throws {
        self.account = account
        self.isArchive = isArchive
        self.hasStates = hasStates || isArchive
        walk = try MessageWalk(account.zone)
        messages = try account.messageCount()
    }

    func step(input: inout InputLines, reply: inout CommandReply, now: MonotonicTime) throws -> OperationProgress {
        if isArchive, !hasBegun { begin(.messages, &reply) }
        hasBegun = true
        for message in try walk.next(Limits.exportSliceMessages) {
            reply.data(NewMessage(message))
            given += 1
        }
        if now >= next ?? now {
            next = now + Limits.progressPause
            reply.progress(["messages": .number(given), "of": .number(messages)])
        }
        guard walk.isDone else { return .again }
        if isArchive { begin(.state, &reply) }
        if hasStates {
            for line in try StateLine.all(of: account.zone) { reply.data(line.json) }
        }
        try walk.checkWhole()
        return .done
    }

    /// Announces the kind of the lines that follow.
    private func begin(_ part: ContainerPart.Kind, _ reply: inout CommandReply) {
        reply.progress([
            "part": .string(part.rawValue),
            "account": [
                "accountId": .string(account.accountID.hex), "label": .string(account.label),
                "deviceId": .string(account.zone.lane.hex),
            ],
        ])
    }
}
