import Chat
import Node
import NodeCore
import NodeModel
import SyncState

/// `scrub`: reads everything again in small steps; what is damaged is marked as missing and comes back from a peer.
final class ScrubOperation: Operation {
    let changesData = true
    private let account: NodeAccount
    private var cursor = ZoneStore.ScrubCursor()

    init(account: NodeAccount) {
        self.account = account
    }

    package func step(
        input: inout InputLines, reply: inout CommandReply, now: MonotonicTime
    ) throws(NodeError) -> OperationProgress {
        do {
            if try account.zone.store.scrub(&cursor) { return .again }
        } catch {
            throw NodeError(cause: error)
        }
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
