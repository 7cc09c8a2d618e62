import Chat
import Node
import NodeCore
import NodeModel
import SyncState

/// `message confirm`, `message reorg`: one event given by options, or many as JSON lines.
enum ChainEvents {
    static let txid = Parameter.txid("--txid", "the message; without it, events are read from FILE").placed("TXID")
    static let blockTime = Parameter.number(
        "--block-time", "MS", 0...(1 << 48 - 1), "block time in milliseconds since 1970")
    static let score = Parameter.number("--score", "N", 0...(1 << 62 - 1), "accepting DAA score")
        .named("acceptingDaaScore")
    static let status = Parameter.choice(
        "--status", "S", ChainStatus.allCases.map(\.rawValue), "pending, seen, confirmed or reorged")

    static func operation(_ kind: ChainEvent.Kind, _ call: Call) throws -> any Operation {
        let account = try call.account
        if let txid = call[txid] {
            let event = ChainEvent(
                txid: txid, kind: kind, blockTime: call[blockTime].map(UInt64.init),
                acceptingDaaScore: call[score].map(UInt64.init),
                status: call[status].flatMap { MessageStatus(name: $0) })
            return atOnce(changesData: true) { reply, now in
                let result = ChainResult(try account.zone.learn(event, now: now))
                reply.data(Learned { ($0.txid, $0.result) = (txid.hex, result) })
            }
        }
        let others: [any AnyParameter] = [blockTime, score, status]
        if let given = others.first(where: call.has) {
            throw NodeError.wrong(given, "needs \(parameter: txid.spec.name)")
        }
        var counts = ImportedEvents()
        return LineImport(call) { bytes, now in
            switch ChainResult(try account.zone.learn(try ChainEvent(ChainLine(json: bytes), kind), now: now)) {
            case .changed: counts.changed += 1
            case .waiting: counts.waiting += 1
            case .known: counts.known += 1
            case .deleted: counts.deleted += 1
            }
        } counts: { lines, refused in
            (counts.lines, counts.refused) = (lines, refused)
            return counts
        }
    }
}

extension ChainEvent {
    init(_ line: ChainLine, _ kind: Kind) throws(FieldError) {
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
