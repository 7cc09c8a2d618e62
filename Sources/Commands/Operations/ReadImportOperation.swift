import Chat
import Node
import NodeCore
import SyncState

/// `read import`: how far an old app says that its conversations were read, a line each.
final class ReadImportOperation: ControlOperation {
    let changesData = true
    private let zone: AccountZone
    private let clock: any Clock
    private var lines = 0
    private var advanced = 0
    private var refusals = LineRefusals()

    init(account: NodeAccount, clock: any Clock) {
        zone = account.zone
        self.clock = clock
    }

    package func step(
        input: inout ControlInput, reply: inout ControlReply, now: MonotonicTime
    ) throws(NodeError) -> OperationProgress {
        for _ in 0..<Limits.importSliceLines {
            guard let line = input.next() else {
                guard input.isEnded else { return .needsInput }
                try finish(&reply)
                return .done
            }
            guard case .line(let bytes) = line, bytes.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D })
            else { continue }
            lines += 1
            try take(bytes, &reply, now)
        }
        return .again
    }

    private func take(_ bytes: [UInt8], _ reply: inout ControlReply, _ now: MonotonicTime) throws(NodeError) {
        do throws(LineError) {
            let line = try ReadLine(json: bytes)
            if try adopt(line, now) { advanced += 1 }
        } catch {
            if let fault = error.fault { throw fault }
            refusals.add(lines, error.reason, to: &reply)
        }
    }

    private func adopt(_ line: ReadLine, _ now: MonotonicTime) throws(LineError) -> Bool {
        do {
            return try zone.reads.adoptRead(
                line.conversationID, txid: line.txid, blockTime: line.blockTime, now: now, wall: clock.wall())
        } catch let error as ReadImportError {
            throw LineError("\(error)")
        } catch let error as ConversationDetailsError {
            throw LineError("\(error)")
        } catch {
            throw LineError(fault: NodeError(cause: error))
        }
    }

    /// The end of an import is a stable point.
    private func finish(_ reply: inout ControlReply) throws(NodeError) {
        do {
            try zone.reads.publishReads()
        } catch {
            throw NodeError(cause: error)
        }
        reply.data(
            .object(["lines": .number(lines), "advanced": .number(advanced), "refused": .number(refusals.count)]))
        refusals.end(&reply, lines: lines)
    }
}
