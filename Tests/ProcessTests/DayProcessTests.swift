import NodeDriver
import ProcessHarness
import TestScale
import Testing

#if canImport(Glibc)
    import Glibc
#endif

extension ProcessTests {
    /// A day of a person with three devices, then a fourth, as that person's app would drive them.
    @Suite struct Day {
        @Test func ofThreeDevicesOnGeneratedTalk() throws {
            let talk = Talk(TestScale.of(usual: 800, proof: 2_400), conversations: 80)
            let fixture = try Fixture()
            try day(fixture, try fixture.file("chat.jsonl", talk.lines), messages: talk.messages.count)
        }

        @Test(.enabled(if: Convergence.realChat != nil, "no real history: set KACHAT_CHAT=FILE.jsonl"))
        func ofThreeDevicesOnARealHistory() throws {
            let path = try #require(Convergence.realChat)
            let lines = String(decoding: try #require(FileTree.read(path)), as: UTF8.self).split(separator: "\n")
            try day(Fixture(), path, messages: lines.count)
        }

        private func day(_ fixture: Fixture, _ history: String, messages: Int) throws {
            let story = DayStory(fixture, messages: messages)
            try story.morning(history)
            try story.sendingAndReceiving()
            try story.offlineHours()
            try story.reading()
            try story.reorg()
            try story.deleting()
            try story.givingUpADevice()
            try story.aNewDevice()
            try story.evening()
        }
    }
}

/// The events of the day, and what all devices must show after each part.
final class DayStory {
    private let fixture: Fixture
    private var nodes: [DrivenNode] = []
    /// The number of messages that all must show by now.
    private var messages: Int
    private var written = 0

    private var phone: DrivenNode { nodes[0] }
    private var laptop: DrivenNode { nodes[1] }
    private var tablet: DrivenNode { nodes[2] }

    init(_ fixture: Fixture, messages: Int) {
        self.fixture = fixture
        self.messages = messages
    }

    /// Each device gets the part of the history that it saw.
    func morning(_ history: String) throws {
        nodes = try fixture.started("phone", "laptop", "tablet")
        for node in nodes { try node.run(["import", history, "--device", node.name], within: .seconds(600)) }
        try agree()
    }

    /// Some are sent on one device, with a push to the others before the body; some are received on all at once.
    func sendingAndReceiving() throws {
        for sender in nodes {
            let message = newMessage("sent", body: "from \(sender.name)")
            for other in nodes where other !== sender {
                try other.run(["message", "hint", "--txid", message.txid, "--conversation", Self.conversation])
                #expect(try other.object(ListedMessage.self, ["message", "show", message.txid]).status == "syncing")
                #expect(try other.object(ListedMessage.self, ["message", "show", message.txid]).body == nil)
            }
            try add(message, on: sender)
            for other in nodes {
                try fixture.wait("the body of \(sender.name)'s message on \(other.name)") {
                    try other.object(ListedMessage.self, ["message", "show", message.txid]).body
                        == "from \(sender.name)"
                }
            }
        }
        let received = newMessage("received", body: "to all")
        for node in nodes { try add(received, on: node) }
        for node in nodes { try node.run(["flush"]) }
        try agree()
        for node in nodes { #expect(try node.status().account?.placeholders == 0) }
    }

    /// The laptop is shut for some hours: what happens meanwhile is there when it is opened, and the push that it got
    /// at once, before it met anybody, is resolved.
    func offlineHours() throws {
        let known = messages
        #expect(laptop.stop() == .exited(0))
        var last: Line?
        for number in 0..<30 {
            let message = newMessage(number.isMultiple(of: 3) ? "sent" : "received", body: "hour \(number)")
            try add(message, on: number.isMultiple(of: 2) ? phone : tablet)
            last = message
        }
        let txid = try #require(last?.txid)
        // Without a running node: the stub is there, and says why.
        try laptop.run(["message", "hint", "--txid", txid])
        let stub = try laptop.object(ListedMessage.self, ["message", "show", txid])
        #expect(stub.status == "syncing")
        #expect(stub.waitingFor != nil)
        #expect(try laptop.messageCount() == known)
        try laptop.start()
        try agree()
        #expect(try laptop.object(ListedMessage.self, ["message", "show", txid]).status != "syncing")
    }

    /// Messages are read on the tablet, and all show the count, who read, and when.
    func reading() throws {
        let before = try #require(try conversation(on: phone)?.unread)
        #expect(before > 0)
        try tablet.run(["read", "mark", Self.conversation])
        try tablet.run(["read", "leave", Self.conversation])
        for node in nodes {
            try fixture.wait("the mark on \(node.name)") { try conversation(on: node)?.unread == 0 }
        }
        let newest = try #require(
            try phone.objects(
                ListedMessage.self, ["message", "list", "--conversation", Self.conversation, "--limit", "50"]
            )
            .first { $0.direction == "received" })
        for node in nodes {
            let shown = try node.object(ListedMessage.self, ["message", "show", newest.txid])
            #expect(shown.readBy == (try tablet.status().deviceId))
            #expect(shown.readAt != nil)
        }
        // The conversation is marked as unread; the flag is synced, and goes with the next mark.
        try phone.run(["conversation", "set", Self.conversation, "--unread", "on"])
        try fixture.wait("the flag on the laptop") { try conversation(on: laptop)?.markedUnread == true }
        try laptop.run(["read", "mark", Self.conversation])
        try fixture.wait("the flag is gone") { try conversation(on: phone)?.markedUnread == false }
    }

    /// The chain takes a message back and gives it a later place; only the phone hears of it.
    func reorg() throws {
        let message = newMessage("received", body: "moved by the chain")
        try add(message, on: laptop)
        try laptop.run(["flush"])
        try agree()
        for node in nodes {
            #expect(try node.object(ListedMessage.self, ["message", "show", message.txid]).read == false)
        }
        try phone.run(["message", "reorg", "--txid", message.txid])
        for node in nodes {
            try fixture.wait("the reorg on \(node.name)") {
                try node.object(ListedMessage.self, ["message", "show", message.txid]).status == "reorged"
            }
        }
        let score = Self.score + 1_000_000
        try phone.run([
            "message", "confirm", "--txid", message.txid, "--score", "\(score)", "--block-time", "\(score * 100)",
        ])
        for node in nodes {
            try fixture.wait("the confirmation on \(node.name)") {
                try node.object(ListedMessage.self, ["message", "show", message.txid]).acceptingDaaScore == score
            }
        }
        try agree()
    }

    func deleting() throws {
        let message = newMessage("sent", body: "regretted")
        try add(message, on: phone)
        try phone.run(["flush"])
        try agree()
        try tablet.run(["message", "delete", message.txid, "--yes"])
        messages -= 1
        for node in nodes {
            try fixture.wait("the deletion on \(node.name)") {
                try node.attempt(["message", "show", message.txid]).status == .exited(5)
            }
        }
        // Nothing revives it: neither a late push nor the message itself.
        try laptop.run(["message", "hint", "--txid", message.txid])
        try add(message, on: laptop, counts: false)
        #expect(try laptop.attempt(["message", "show", message.txid]).status == .exited(5))
        try agree()
    }

    /// The tablet is forgotten while it sleeps with a message that only it has; it comes back as it was.
    func givingUpADevice() throws {
        let lane = try tablet.status().deviceId
        #expect(tablet.stop() == .exited(0))
        try add(newMessage("received", body: "only on the tablet"), on: tablet)
        try phone.run(["device", "forget", lane])
        try fixture.wait("the laptop forgets it too") {
            try laptop.objects(Device.self, ["device", "list"]).first { $0.deviceId == lane }?.state == "forgotten"
        }
        try tablet.start()
        try agree()
        for node in nodes {
            let shown = try #require(
                try node.objects(Device.self, ["device", "list"]).first { $0.name == "tablet" })
            #expect(shown.deviceId == lane && shown.state == "active")
        }
    }

    func aNewDevice() throws {
        let fourth = try fixture.node("fourth")
        try fourth.start()
        try fourth.run(["sync", "--wait", "--timeout", "150"])
        nodes.append(fourth)
        try agree()
        try add(newMessage("sent", body: "from the fourth"), on: fourth)
        try fourth.run(["flush"])
        try agree()
    }

    /// Every count on every device equals the messages shown one by one.
    func evening() throws {
        var views: Set<[String]> = []
        for node in nodes {
            let exported = try node.objects(ListedMessage.self, ["export"])
            #expect(exported.count == messages)
            #expect(Set(exported.map(\.txid)).count == messages)
            let list = try node.objects(Conversation.self, ["conversation", "list"])
            var counted: [String: Int] = [:]
            for message in exported { counted[message.conversationId ?? "", default: 0] += 1 }
            #expect(list.count == counted.count)
            for conversation in list { #expect(conversation.messages == counted[conversation.conversationId]) }
            // Some conversations are listed one by one, since each needs a command.
            for conversation in list.prefix(20) where conversation.messages <= 5_000 {
                let shown = try node.objects(
                    ListedMessage.self,
                    ["message", "list", "--conversation", conversation.conversationId, "--limit", "10000"])
                #expect(shown.count == conversation.messages)
                #expect(conversation.unread == shown.count { $0.direction == "received" && $0.read == false })
            }
            let account = try #require(try node.status().account)
            #expect(account.unread == list.reduce(0) { $0 + $1.unread })
            #expect(account.placeholders == 0)
            views.insert(
                exported.map { "\($0.txid) \($0.status ?? "") \($0.acceptingDaaScore ?? 0) \($0.body ?? "")" }.sorted()
                    + list.map { "\($0.conversationId) \($0.unread)" })
        }
        #expect(views.count == 1)
    }

    // MARK: Parts

    private static let conversation = "day"
    /// A score far above all of the history.
    private static let score: UInt64 = 50_000_000_000

    private func newMessage(_ direction: String, body: String) -> Line {
        written += 1
        let hex = String(written, radix: 16)
        let score = Self.score + UInt64(written) * 10
        return Line(
            txid: "da" + String(repeating: "0", count: 62 - hex.count) + hex, direction: direction, score: score,
            body: body)
    }

    private func add(_ message: Line, on node: DrivenNode, counts: Bool = true) throws {
        try node.run(["message", "add"], input: message.json(conversation: Self.conversation))
        if counts, seen.insert(message.txid).inserted { messages += 1 }
    }

    private var seen: Set<String> = []

    private func conversation(on node: DrivenNode) throws -> Conversation? {
        try node.objects(Conversation.self, ["conversation", "list"]).first { $0.conversationId == Self.conversation }
    }

    /// Cuts the queue, as an app does when it goes to the background; then all must hold the same.
    private func agree(sourceLocation: SourceLocation = #_sourceLocation) throws {
        for node in nodes { try node.run(["flush"]) }
        try fixture.waitForAgreement(
            nodes, messages: messages, within: .seconds(600), sourceLocation: sourceLocation)
    }
}

extension DayStory {
    struct Line {
        let txid: String
        let direction: String
        let score: UInt64
        let body: String

        func json(conversation: String) -> String {
            """
            {"txid": "\(txid)", "conversationId": "\(conversation)", "contact": "somebody", \
            "direction": "\(direction)", "senderTs": \(score / 10), "blockTime": \(score * 100), \
            "acceptingDaaScore": \(score), "body": "\(body)"}

            """
        }
    }

    struct Conversation: Decodable {
        var conversationId: String
        var messages: Int
        var unread: Int
        var markedUnread: Bool?
    }

    struct Device: Decodable {
        var deviceId: String
        var name: String?
        var state: String
    }
}
