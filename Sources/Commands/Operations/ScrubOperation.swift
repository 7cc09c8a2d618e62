import Chat
import Node
import NodeCore
import SyncState

/// `scrub`: reads everything again in small steps; what is damaged is marked as missing and comes back from a peer.
final class ScrubOperation: ControlOperation {
    let changesData = true
    private let account: NodeAccount
    private var cursor = ZoneStore.ScrubCursor()

    init(account: NodeAccount) {
        self.account = account
    }

    package func step(
        input: inout ControlInput, reply: inout ControlReply, now: MonotonicTime
    ) throws(NodeError) -> OperationProgress {
        do {
            if try account.zone.store.scrub(&cursor) { return .again }
        } catch {
            throw NodeError(cause: error)
        }
        let report = cursor.report
        reply.data(
            .object([
                "rows": .number(report.rows), "blobs": .number(report.blobs),
                "damagedRows": .number(report.damagedRows),
                "damagedBlobs": .number(report.damagedBlobs), "lanesDiffering": .number(report.lanesDiffering),
                "damagedIndexes": .number(report.damagedIndexes), "lostMessages": .number(report.lostMessages),
            ]))
        return .done
    }
}
