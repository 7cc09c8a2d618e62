import Chat
import Node
import NodeCore
import SyncState

/// `message confirm`, `message reorg`: one event given by options, or many as JSON lines.
final class ChainEventOperation: ControlOperation {
    let changesData = true
    private let account: NodeAccount
    private let kind: ChainEvent.Kind
    /// nil where the lines say it.
    private let single: ChainEvent?
    private var lines = 0
    private var results: [String: Int] = [:]
    private var refusals = LineRefusals()

    init(account: NodeAccount, kind: ChainEvent.Kind, request: ControlRequest) throws(NodeError) {
        self.account = account
        self.kind = kind
        guard request.has("--txid") else {
            guard ["--block-time", "--score", "--status"].allSatisfy({ !request.has($0) }) else {
                throw NodeError(.usage, "--block-time, --score and --status need --txid")
            }
            single = nil
            return
        }
        guard let txid = request.text("--txid").flatMap({ TxID(hex: $0) }) else {
            throw NodeError(.usage, "--txid must be a transaction id of 64 hexadecimal digits")
        }
        single = ChainEvent(
            txid: txid, kind: kind, blockTime: request.number("--block-time"),
            acceptingDaaScore: request.number("--score"),
            status: try request.text("--status").map { (text) throws(NodeError) in try Self.status(text) })
    }

    private static func status(_ text: String) throws(NodeError) -> MessageStatus {
        guard let status = MessageStatus(name: text) else {
            throw NodeError(.usage, "--status must be `pending`, `seen`, `confirmed` or `reorged`, not `\(text)`")
        }
        return status
    }

    package func step(
        input: inout ControlInput, reply: inout ControlReply, now: MonotonicTime
    ) throws(NodeError) -> OperationProgress {
        if let single {
            do {
                let result = try account.zone.learn(single, now: now)
                reply.data(.object(["txid": .string(single.txid.hex), "result": .string(result.chainWord)]))
                return .done
            } catch {
                throw NodeError(cause: error)
            }
        }
        for _ in 0..<Limits.importSliceLines {
            guard let line = input.next() else {
                guard input.isEnded else { return .needsInput }
                finish(&reply)
                return .done
            }
            lines += 1
            do {
                guard case .line(let bytes) = line, bytes != InputLines.tooLong else {
                    throw MessageLineError("is longer than 1 MiB")
                }
                let event = try ChainLine(json: bytes).event(kind)
                results[try account.zone.learn(event, now: now).chainWord, default: 0] += 1
            } catch let error as MessageLineError {
                refusals.add(lines, error.reason, to: &reply)
            } catch let error as ChatMessageError {
                refusals.add(lines, "\(error)", to: &reply)
            } catch let error as ChatError {
                refusals.add(lines, "\(error)", to: &reply)
            } catch {
                throw NodeError(cause: error)
            }
        }
        return .again
    }

    private func finish(_ reply: inout ControlReply) {
        var fields: [String: JSONValue] = ["lines": .number(lines), "refused": .number(refusals.count)]
        for word in ["changed", "waiting", "known", "deleted"] { fields[word] = .number(results[word] ?? 0) }
        reply.data(.object(fields))
        refusals.end(&reply, lines: lines)
    }
}

extension Acceptance {
    /// What became of an event, for scripts.
    fileprivate var chainWord: String {
        switch self {
        case .new: "waiting"
        case .known: "known"
        case .upgraded: "changed"
        case .deleted: "deleted"
        }
    }
}
