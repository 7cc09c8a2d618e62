import Chat
import Node
import NodeCore
import NodeModel
import SyncState

/// `message confirm`, `message reorg`: one event given by options, or many as JSON lines.
final class ChainEventOperation: Operation {
    let changesData = true
    private let account: NodeAccount
    private let kind: ChainEvent.Kind
    /// nil where the lines say it.
    private let single: ChainEvent?
    private var lines = 0
    private var counts = ImportedEvents()
    private var refusals: LineRefusals

    static let txid = Parameter.txid("--txid", "the message; without it events are read from FILE")
    static let blockTime = Parameter.number(
        "--block-time", "MS", 0...(1 << 48 - 1), "time of its block, ms since 1970")
    static let score = Parameter.number("--score", "N", 0...(1 << 62 - 1), "accepting DAA score")
        .named("acceptingDaaScore")
    static let status = Parameter.choice(
        "--status", "S", ChainStatus.allCases.map(\.rawValue), "pending, seen, confirmed or reorged")

    init(_ kind: ChainEvent.Kind, _ call: Call) throws(NodeError) {
        self.kind = kind
        account = try call.account
        refusals = LineRefusals(call)
        guard let txid = call[Self.txid] else {
            let others: [any AnyParameter] = [Self.blockTime, Self.score, Self.status]
            if let given = others.first(where: call.has) {
                throw .wrong(given, "needs \(parameter: Self.txid.spec.name)")
            }
            single = nil
            return
        }
        single = ChainEvent(
            txid: txid, kind: kind, blockTime: call[Self.blockTime].map(UInt64.init),
            acceptingDaaScore: call[Self.score].map(UInt64.init),
            status: call[Self.status].flatMap { MessageStatus(name: $0) })
    }

    package func step(
        input: inout InputLines, reply: inout CommandReply, now: MonotonicTime
    ) throws(NodeError) -> OperationProgress {
        if let single {
            do {
                var learned = Learned()
                learned.txid = single.txid.hex
                learned.result = ChainResult(try account.zone.learn(single, now: now))
                reply.data(learned)
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
                guard case .line(let bytes) = line else {
                    throw FieldError("", "is longer than 1 MiB")
                }
                count(ChainResult(try account.zone.learn(try ChainEvent(ChainLine(json: bytes), kind), now: now)))
            } catch let error as FieldError {
                refusals.add(lines, "\(error)", to: &reply)
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

    private func count(_ result: ChainResult) {
        switch result {
        case .changed: counts.changed += 1
        case .waiting: counts.waiting += 1
        case .known: counts.known += 1
        case .deleted: counts.deleted += 1
        }
    }

    private func finish(_ reply: inout CommandReply) {
        counts.lines = lines
        counts.refused = refusals.count
        reply.data(counts)
        refusals.end(&reply, lines: lines)
    }
}

extension ChainEvent {
    fileprivate init(_ line: ChainLine, _ kind: Kind) throws(FieldError) {
        self.init(
            txid: try TxID(line: line.txid), kind: kind, blockTime: line.blockTime.map(UInt64.init),
            acceptingDaaScore: line.acceptingDaaScore.map(UInt64.init),
            status: line.status.flatMap { MessageStatus(name: $0.rawValue) })
    }
}

extension ChainResult {
    fileprivate init(_ acceptance: Acceptance) {
        self =
            switch acceptance {
            case .new: .waiting
            case .known: .known
            case .upgraded: .changed
            case .deleted: .deleted
            }
    }
}
