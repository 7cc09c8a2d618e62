import Chat
import Node
import NodeCore
import NodeModel
import SyncState

/// `read import`: how far an old app says that its conversations were read, a line each.
final class ReadImportOperation: Operation {
    let changesData = true
    private let zone: AccountZone
    private let clock: any Clock
    private var counts = ImportedReads()
    private var refusals: LineRefusals

    init(_ call: Call) throws(NodeError) {
        zone = try call.account.zone
        clock = call.clock
        refusals = LineRefusals(call)
    }

    package func step(
        input: inout InputLines, reply: inout CommandReply, now: MonotonicTime
    ) throws(NodeError) -> OperationProgress {
        for _ in 0..<Limits.importSliceLines {
            guard let line = input.next() else {
                guard input.isEnded else { return .needsInput }
                try finish(&reply)
                return .done
            }
            guard case .line(let bytes) = line, bytes.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D })
            else { continue }
            counts.lines += 1
            try take(bytes, &reply, now)
        }
        return .again
    }

    private func take(_ bytes: [UInt8], _ reply: inout CommandReply, _ now: MonotonicTime) throws(NodeError) {
        do {
            let line = try ReadLine(json: bytes)
            let isNew = try zone.reads.adoptRead(
                line.conversationId, txid: line.lastReadTxId.map { try TxID(line: $0) },
                blockTime: UInt64(line.lastReadBlockTime), now: now, wall: clock.wall())
            if isNew { counts.advanced += 1 }
        } catch let error as FieldError {
            refusals.add(counts.lines, "\(error)", to: &reply)
        } catch let error as ReadImportError {
            refusals.add(counts.lines, "\(error)", to: &reply)
        } catch let error as ConversationDetailsError {
            refusals.add(counts.lines, "\(error)", to: &reply)
        } catch {
            throw NodeError(cause: error)
        }
    }

    /// The end of an import is a stable point.
    private func finish(_ reply: inout CommandReply) throws(NodeError) {
        do {
            try zone.reads.publishReads()
        } catch {
            throw NodeError(cause: error)
        }
        counts.refused = refusals.count
        reply.data(counts)
        refusals.end(&reply, lines: counts.lines)
    }
}
