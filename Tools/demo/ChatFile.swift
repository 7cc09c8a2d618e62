import NodeDriver
import ProcessHarness
import SampleData

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The history that the nodes will share, and what must be true of it on each of them in the end.
struct ChatFile {
    /// The demo's data about a message.
    struct Entry {
        var txid: String
        var conversation: String
        var isSent: Bool
        var device: String?
        /// Later is greater, as in the node (docs/STORAGE.md, §7).
        var order: UInt64
        /// In the import format.
        var line: [UInt8]
    }

    /// The nodes' names, and the file that each imports.
    var devices: [String]
    var partOfDevice: [String: String]
    var messages: Int
    var conversations: Int
    /// Nobody reads anything, so all received messages.
    var unread: Int
    var messagesOfDevice: [String: Int]
    /// The newest messages, newest first.
    var newest: [Entry]

    /// The ids of the newest messages in each of their conversations, busiest first.
    var newestByConversation: [(conversation: String, txids: [String])] {
        Dictionary(grouping: newest, by: \.conversation)
            .map { ($0.key, $0.value.map(\.txid)) }
            .sorted { ($1.1.count, $0.0) < ($0.1.count, $1.0) }
    }

    static let newestCount = 2_000
    /// The devices for lines that name none.
    private static let usualDevices = ["phone", "laptop", "tablet"]

    /// Generates chat. The parts go into the folder.
    static func generate(_ arguments: DemoArguments, in folder: TemporaryFolder) throws -> ChatFile {
        let count = arguments.messages
        let conversations = arguments.conversations ?? max(1, min(1_212, count / 33))
        let messages = SampleChat(seed: arguments.seed, messageCount: count, conversationCount: conversations)
            .messages()
        return try ChatFile(
            entries: messages.map { message in
                Entry(
                    txid: message.txidHex, conversation: message.conversationID, isSent: message.isSent,
                    device: message.device, order: message.acceptingDaaScore, line: Array(message.jsonLine.utf8))
            }, name: "the generated talk", in: folder)
    }

    /// Reads the user's own history; the parts go into the folder.
    static func read(_ path: String, in folder: TemporaryFolder) throws -> ChatFile {
        struct Line: Decodable {
            var txid: String
            var conversationId: String
            var direction: String
            var senderTs: UInt64?
            var blockTime: UInt64?
            var acceptingDaaScore: UInt64?
            var device: String?
            var senderOrder: UInt64?

            var order: UInt64 {
                let time = 1 << 48 - 1 as UInt64
                if let acceptingDaaScore { return acceptingDaaScore }
                if let blockTime { return 1 << 62 + min(blockTime, time) }
                let place = direction == "sent" ? min(senderOrder ?? 0, 999) : 0
                return 1 << 63 + min(senderTs ?? 0, time / 1_000) * 1_000 + place
            }
        }
        guard let bytes = FileTree.read(path) else { throw DriverError("cannot read \(path)") }
        let decoder = JSONDecoder()
        var entries: [Entry] = []
        for (index, text) in bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
            guard let line = try? decoder.decode(Line.self, from: Data(text)) else {
                throw DriverError("\(path):\(index + 1): no message in the import's format")
            }
            entries.append(
                Entry(
                    txid: line.txid.lowercased(), conversation: line.conversationId, isSent: line.direction == "sent",
                    device: line.device, order: line.order, line: Array(text)))
        }
        return try ChatFile(entries: entries, name: path, in: folder)
    }

    private init(entries: [Entry], name: String, in folder: TemporaryFolder) throws {
        guard !entries.isEmpty else { throw DriverError("\(name) has no messages") }
        var named = Set(entries.compactMap(\.device))
        // An export names no devices. One alone would have nobody to share with.
        if named.count < 2 { named.formUnion(Self.usualDevices) }
        guard named.count <= 8 else {
            throw DriverError("\(name): \(named.count) devices; the demo runs a node for each, at most 8")
        }
        // The phone creates the account, as for most people.
        devices = named.sorted { ($0 == "phone" ? 0 : 1, $0) < ($1 == "phone" ? 0 : 1, $1) }
        var parts: [String: [UInt8]] = [:]
        messagesOfDevice = [:]
        for (index, entry) in entries.enumerated() {
            let device = entry.device ?? devices[index % devices.count]
            parts[device, default: []] += entry.line + [UInt8(ascii: "\n")]
            messagesOfDevice[device, default: 0] += 1
        }
        partOfDevice = [:]
        for (index, device) in devices.enumerated() {
            let path = folder.file("part-\(index + 1).jsonl")
            try FileTree.write(parts[device] ?? [], to: path)
            partOfDevice[device] = path
        }
        var seen: Set<String> = []
        let distinct = entries.filter { seen.insert($0.txid).inserted }
        messages = distinct.count
        conversations = Set(distinct.map(\.conversation)).count
        unread = distinct.filter { !$0.isSent }.count
        newest = Array(distinct.sorted { ($0.order, $0.txid) > ($1.order, $1.txid) }.prefix(Self.newestCount))
    }
}
