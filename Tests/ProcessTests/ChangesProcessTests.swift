import NodeDriver
import ProcessHarness
import SampleData
import TestScale
import Testing

#if canImport(Glibc)
    import Glibc
#endif
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A line of `changes`.
private struct ChangeLine: Decodable {
    var token: String
    var kind: String
    var conversationId: String?
    var txid: String?
    var txids: [String]?
    var count: Int?
    var state: String?
}

/// An app that follows a node's changes and keeps its token, as it would beside its own data.
private final class Follower {
    private let node: DrivenNode
    private var process: ChildProcess?
    private(set) var token = "0"
    private(set) var tokens: [String] = []
    /// The messages in the order in which they were reported.
    private(set) var learnt: [String] = []
    private(set) var kinds: Set<String> = []
    private(set) var read: Set<String> = []
    /// The number of messages that were reported together without their ids.
    private(set) var unnamed = 0

    init(_ node: DrivenNode) { self.node = node }

    func start() throws {
        let arguments = ["changes", "--since", token, "--follow", "--json"]
        process = try ChildProcess(node.binary.command(home: node.home, arguments))
    }

    /// Takes in the available lines; a line that did not arrive whole is told again.
    func takeIn() throws {
        for line in try process?.output?.available() ?? [] {
            guard let change = try? JSONDecoder().decode(ChangeLine.self, from: Data(line.utf8)) else { continue }
            token = change.token
            tokens.append(token)
            kinds.insert(change.kind)
            if change.kind == "read-state", let conversation = change.conversationId { read.insert(conversation) }
            guard change.kind == "message-added" else { continue }
            let named = change.txids ?? change.txid.map { [$0] } ?? []
            if named.isEmpty { unnamed += change.count ?? 0 }
            learnt += named
        }
    }

    /// Kills the process with SIGKILL, whatever it is doing.
    func kill() throws {
        process?.killNow()
        try process?.wait()
        try takeIn()
        process = nil
    }

    /// Restarts the reader if the node has gone away.
    func keepUp() throws {
        if process?.isRunning != true {
            try takeIn()
            try start()
        }
        try takeIn()
    }
}

extension ProcessTests {
    @Suite struct Changes {
        /// The reader or its node repeatedly dies at a random moment, while messages arrive from an app and another
        /// device and are read: the reader learns each once.
        @Test func nothingIsLostOrDoubledWhenReaderAndNodeAreKilled() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("one", "two")
            let (one, two) = (nodes[0], nodes[1])
            try fixture.waitForConnections(nodes)
            let talk = Talk(400, conversations: 6)
            var lines = talk.lines[...]
            var random = SampleRandom(seed: 50)
            let follower = Follower(one)
            for round in 0..<TestScale.of(usual: 16, proof: 50) {
                if one.process == nil { try one.start() }
                try follower.keepUp()
                let own = try fixture.file("own", Array(lines.prefix(2)))
                // Both devices get the last one, which is one message.
                let theirs = try fixture.file("theirs", Array(lines.dropFirst(1).prefix(3)))
                lines = lines.dropFirst(4)
                let commands = [
                    try ChildProcess(fixture.binary.command(home: one.home, ["import", own])),
                    try ChildProcess(fixture.binary.command(home: two.home, ["import", theirs])),
                    try ChildProcess(
                        fixture.binary.command(home: one.home, ["read", "mark", Self.conversation(talk, round)])),
                ]
                usleep(UInt32.random(in: 0...120_000, using: &random))
                if Bool.random(using: &random) { try follower.kill() } else { try one.kill() }
                for command in commands { try command.wait() }
                // With more segments at once than these, the feed would report only numbers.
                guard round % 8 == 7 else { continue }
                if one.process == nil { try one.start() }
                try fixture.waitForAgreement(nodes, messages: try two.exportedTxids().union(one.exportedTxids()).count)
            }
            if one.process == nil { try one.start() }
            let held = try two.exportedTxids().union(try one.exportedTxids())
            try fixture.waitForAgreement(nodes, messages: held.count)
            let marked = try one.objects(Conversation.self, ["conversation", "list"]).filter { $0.lastReadTxid != nil }
            // The mark may be reported after the last message, and some things are reported later than they happen.
            let kinds: Set = ["message-added", "read-state", "unread", "device", "sync"]
            try fixture.wait("the reader has learnt all") {
                try follower.keepUp()
                return follower.learnt.count + follower.unnamed >= held.count
                    && follower.read.isSuperset(of: marked.map(\.conversationId))
                    && follower.kinds.isSuperset(of: kinds)
            }
            #expect(follower.unnamed == 0)
            #expect(Set(follower.learnt) == held)
            #expect(follower.learnt.count == held.count, "told twice")
            #expect(zip(follower.tokens, follower.tokens.dropFirst()).allSatisfy { $0 < $1 })
            #expect(follower.read == Set(marked.map(\.conversationId)))
        }

        private struct Conversation: Decodable {
            var conversationId: String
            var lastReadTxid: String?
        }

        private static func conversation(_ talk: Talk, _ round: Int) -> String {
            talk.messages[round * 4].conversationID
        }

        @Test func aTokenIsOfOneStoreAndSaysWhereToBegin() throws {
            let fixture = try Fixture()
            let node = try fixture.node("one")
            let other = try fixture.stranger()
            try node.run(["import", try fixture.file("chat", Talk(40, conversations: 1).lines)])
            let first = try #require(try node.objects(ChangeLine.self, ["changes"]).last)
            #expect(try node.run(["changes", "--since", first.token]).isEmpty)
            let foreign = try other.attempt(["changes", "--since", first.token])
            #expect(foreign.status == .exited(4))
            #expect(foreign.errorOutput.contains("foreign-token"))
            #expect(try node.attempt(["changes", "--since", "soon"]).status == .exited(2))
            #expect(try node.attempt(["changes", "--wait", "1"]).status == .exited(3), "only a running node changes")
            let here = try node.object(ChangeLine.self, ["changes", "--since", "now"])
            #expect(here.kind == "here")
            #expect(here.token == first.token)

            // A backup restores another store: the app has seen changes that this store does not know.
            let backup = fixture.folder.file("backup")
            try node.run(["backup", backup])
            let restored = fixture.adopt("two", home: fixture.folder.file("two"))
            try restored.run(["restore", backup])
            let old = try restored.attempt(["changes", "--since", first.token])
            #expect(old.status == .exited(4))
            #expect(old.errorOutput.contains("foreign-token"))
            let anew = try restored.object(ChangeLine.self, ["changes", "--since", "now"])
            #expect(try restored.run(["changes", "--since", anew.token]).isEmpty)
            #expect(try node.attempt(["changes", "--since", anew.token]).status == .exited(4))
        }

        @Test func aQuestionWaitsForTheFirstChange() throws {
            let fixture = try Fixture()
            let node = try fixture.node("one")
            try node.start()
            let here = try node.object(ChangeLine.self, ["changes", "--since", "now"])
            let quiet = try node.objects(ChangeLine.self, ["changes", "--since", here.token, "--wait", "1"])
            var token = quiet.last?.token ?? here.token
            func ask() throws -> ChildProcess {
                let waiting = ["changes", "--since", token, "--wait", "60", "--json"]
                return try ChildProcess(fixture.binary.command(home: node.home, waiting))
            }
            var reader = try ask()
            let message = Talk(1, conversations: 1)
            try node.run(["message", "add"], input: message.lines[0])
            // Word about the sync may come first: that is an answer too, after which the reader asks again.
            var told: ChangeLine?
            for _ in 0..<10 where told == nil {
                let text = try #require(try reader.output?.next())
                let line = try DrivenNode.decode(ChangeLine.self, text[...], from: ["changes"])
                if line.kind == "message-added" {
                    told = line
                } else {
                    #expect(["sync", "account", "device"].contains(line.kind), "\(text)")
                    #expect(try reader.wait() == .exited(0))
                    token = line.token
                    reader = try ask()
                }
            }
            #expect(told?.txid == message.messages[0].txidHex)
            #expect(try reader.wait() == .exited(0))
        }
    }
}
