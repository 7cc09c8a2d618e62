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
    /// Nil if the events come as lines.
    private let single: ChainEvent?
    private var lines: LineImport
    private var counts = ImportedEvents()

    static let txid = Parameter.txid("--txid", "the message; without it, events are read from FILE")
        .placed("TXID")
    static let blockTime = Parameter.number(
        "--block-time", "MS", 0...(1 << 48 - 1), "block time in milliseconds since 1970")
    static let score = Parameter.number("--score", "N", 0...(1 << 62 - 1), "accepting DAA score")
        .named("acceptingDaaScore")
    static let status = Parameter.choice(
        "--status", "S", ChainStatus.allCases.map(\.rawValue), "pending, seen, confirmed or reorged")

    init(_ kind: ChainEvent.Kind, _ call: Call) throws(NodeError) {
        self.kind = kind
        account = try call.account
        lines = LineImport(call)
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

    func step(input: inout InputLines, reply: inout CommandReply, now: MonotonicTime) throws -> OperationProgress {
        if let single {
            let result = ChainResult(try account.zone.learn(single, now: now))
            reply.data(Learned { ($0.txid, $0.result) = (single.txid.hex, result) })
            return .done
        }
        return try lines.step(&input, &reply) { bytes in
            count(ChainResult(try account.zone.learn(try ChainEvent(ChainLine(json: bytes), kind), now: now)))
        } finish: { lines in
            (counts.lines, counts.refused) = (lines.lines, lines.refusals.count)
            return counts
        }
    }

    private func count(_ result: ChainResult) {
        switch result {
        case .changed: counts.changed += 1
        case .waiting: counts.waiting += 1
        case .known: counts.known += 1
        case .deleted: counts.deleted += 1
        }
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
