import Chat
import FoundationEssentials
import NodeCore
import SyncState

/// One chain event as a JSON line: `txid`, and what is known of `blockTime`, `acceptingDaaScore` and `status`.
struct ChainLine: Decodable {
    private let txid: String
    private let blockTime: UInt64?
    private let acceptingDaaScore: UInt64?
    private let status: String?

    init(json line: [UInt8]) throws(MessageLineError) {
        do {
            self = try JSONDecoder().decode(ChainLine.self, from: Data(line))
        } catch {
            throw MessageLineError("is no JSON object with `txid`, `blockTime`, `acceptingDaaScore`, `status`")
        }
    }

    package func event(_ kind: ChainEvent.Kind) throws(MessageLineError) -> ChainEvent {
        guard let txid = TxID(hex: txid) else { throw MessageLineError("`txid` must have 64 hexadecimal digits") }
        let known = status.flatMap { MessageStatus(name: $0) }
        if let status, known == nil {
            throw MessageLineError("`status` must be `pending`, `seen`, `confirmed` or `reorged`, not `\(status)`")
        }
        return ChainEvent(
            txid: txid, kind: kind, blockTime: blockTime, acceptingDaaScore: acceptingDaaScore, status: known)
    }
}
