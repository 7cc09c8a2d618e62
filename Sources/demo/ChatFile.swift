import ProcessHarness
import SampleData

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The history that the nodes are to share, and what must be true of it on each of them in the end.
struct ChatFile {
    /// What the demo has to know of a message.
    struct Entry {
        var txid: String
        var conversation: String
        var isSent: Bool
        var device: String?
        /// Later is greater: by accepting score, those without one by their block's time.
        var order: UInt64
    }

    var path: String
    var devices: [String]
    var messages: Int
    var conversations: Int
    /// Nobody reads anything, so all that was received.
    var unread: Int
    var messagesOfDevice: [String: Int]
    /// The newest messages of all, the newest first.
    var newest: [Entry]

    /// The ids of the newest messages in each of their conversations, the busiest first.
    var newestByConversation: [(conversation: String, txids: [String])] {
        Dictionary(grouping: newest, by: \.conversation)
            .map { ($0.key, $0.value.map(\.txid)) }
            .sorted { ($1.1.count, $0.0) < ($0.1.count, $1.0) }
    }

    static let newestCount = 2_000

    /// Writes made-up talk into the file.
    static func generate(_ arguments: DemoArguments, to path: String) throws -> ChatFile {
        let count = arguments.messages
        let conversations = arguments.conversations ?? max(1, min(1_212, count / 33))
        let messages = SampleChat(seed: arguments.seed, messageCount: count, conversationCount: conversations)
            .messages()
        var bytes: [UInt8] = []
        for message in messages {
            bytes += message.jsonLine.utf8
            bytes.append(UInt8(ascii: "\n"))
        }
        try FileTree.write(bytes, to: path)
        return try ChatFile(
            path: path,
            entries: messages.map { message in
                Entry(
                    txid: message.txidHex, conversation: message.conversationID, isSent: message.isSent,
                    device: message.device, order: message.acceptingDaaScore)
            })
    }

    /// Reads a history of one's own.
    static func read(_ path: String) throws -> ChatFile {
        struct Line: Decodable {
            var txid: String
            var conversationId: String
            var direction: String
            var blockTime: Int64?
            var acceptingDaaScore: UInt64?
            var device: String?
        }
        guard let bytes = FileTree.read(path) else { throw DemoError("cannot read \(path)") }
        let decoder = JSONDecoder()
        var entries: [Entry] = []
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
            guard let line = try? decoder.decode(Line.self, from: Data(line)) else {
                throw DemoError("\(path):\(index + 1): no message in the import's format")
            }
            entries.append(
                Entry(
                    txid: line.txid.lowercased(), conversation: line.conversationId, isSent: line.direction == "sent",
                    device: line.device, order: line.acceptingDaaScore ?? UInt64(clamping: line.blockTime ?? 0)))
        }
        return try ChatFile(path: path, entries: entries)
    }

    private init(path: String, entries: [Entry]) throws {
        self.path = path
        messagesOfDevice = Dictionary(grouping: entries, by: { $0.device ?? "" }).mapValues(\.count)
        guard messagesOfDevice[""] == nil, !messagesOfDevice.isEmpty else {
            throw DemoError("\(path): each line needs a \"device\": it says which node imports the line")
        }
        // The phone makes the account, as for most people.
        devices = messagesOfDevice.keys.sorted { ($0 == "phone" ? 0 : 1, $0) < ($1 == "phone" ? 0 : 1, $1) }
        guard (2...8).contains(devices.count) else {
            throw DemoError("\(path): \(devices.count) devices; the demo runs a node for each, 2 to 8")
        }
        var seen: Set<String> = []
        let distinct = entries.filter { seen.insert($0.txid).inserted }
        messages = distinct.count
        conversations = Set(distinct.map(\.conversation)).count
        unread = distinct.filter { !$0.isSent }.count
        newest = Array(
            distinct.sorted { ($0.order, $0.txid) > ($1.order, $1.txid) }.prefix(Self.newestCount))
    }
}
