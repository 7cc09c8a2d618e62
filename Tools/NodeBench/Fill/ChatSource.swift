import Chat
import Commands
import NodeCore
import NodeModel
import ProcessHarness
import SampleData
import SyncState

/// The shorter history that a long one is made from: a file in the import format, or generated chat.
enum ChatSource {
    static func messages(file: String?) throws -> [ChatMessage] {
        let messages = try file.map { try read($0) } ?? generated()
        return messages.sorted { ($0.blockTime ?? 0, $0.txid) < ($1.blockTime ?? 0, $1.txid) }
    }

    private static func generated() -> [ChatMessage] {
        SampleChat().messages().compactMap { sample in
            guard let txid = TxID(bytes: sample.txid) else { return nil }
            return ChatMessage(
                txid: txid, conversationID: sample.conversationID, contact: sample.contact,
                direction: sample.isSent ? .sent : .received, senderTimestamp: UInt64(sample.senderTs),
                blockTime: UInt64(sample.blockTime), acceptingDaaScore: sample.acceptingDaaScore, status: .confirmed,
                body: sample.body)
        }
    }

    private static func read(_ path: String) throws -> [ChatMessage] {
        guard let bytes = FileTree.read(path) else { throw BenchError("cannot read \(path)") }
        return try bytes.split(separator: UInt8(ascii: "\n")).enumerated().map { index, line in
            guard let message = try? ChatMessage(try NewMessage(json: line)) else {
                throw BenchError("\(path):\(index + 1): no message in the import's format")
            }
            return message
        }
    }
}
