import Chat
import Glibc
import JSONLines
import NodeCore
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
        guard let file = fopen(path, "r") else { throw BenchError("cannot read \(path)") }
        defer { fclose(file) }
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        var messages: [ChatMessage] = []
        while true {
            let count = getline(&line, &capacity, file)
            guard count > 0, let line else { break }
            let bytes = UnsafeRawBufferPointer(start: line, count: count)
            guard let message = message(Array(bytes)) else {
                throw BenchError("\(path):\(messages.count + 1): no message in the import's format")
            }
            messages.append(message)
        }
        return messages
    }

    private static func message(_ line: [UInt8]) -> ChatMessage? {
        guard let json = JSONValue(json: line), let text = json["txid"]?.text, let txid = TxID(hex: text),
            let conversation = json["conversationId"]?.text, let contact = json["contact"]?.text,
            let time = json["senderTs"]?.integer, let body = json["body"]?.text
        else { return nil }
        return ChatMessage(
            txid: txid, conversationID: conversation, contact: contact,
            direction: json["direction"]?.text == "sent" ? .sent : .received, senderTimestamp: UInt64(time),
            blockTime: json["blockTime"]?.integer.map { UInt64($0) },
            acceptingDaaScore: json["acceptingDaaScore"]?.integer.map { UInt64($0) }, status: .confirmed, body: body)
    }
}
