import Chat
import Node
import NodeCore
import NodeModel
import SyncState

/// `scrub`: checks everything in small steps; damaged data is marked as missing and comes back from a peer.
final class ScrubOperation: Operation {
    let changesData = true
    private let account: NodeAccount
    private var cursor = ZoneStore.ScrubCursor()

    init(account: NodeAccount) {
        self.account = account
    }

    func step(input: inout InputLines, reply: inout CommandReply, now: MonotonicTime) throws -> OperationProgress {
        if try account.zone.store.scrub(&cursor) { return .again }
        let report = cursor.report
        var found = Scrubbed()
        found.rows = report.rows
        found.blobs = report.blobs
        found.damagedRows = report.damagedRows
        found.damagedBlobs = report.damagedBlobs
        found.lanesDiffering = report.lanesDiffering
        found.damagedIndexes = report.damagedIndexes
        found.lostMessages = report.lostMessages
        reply.data(found)
        return .done
    }
}
