import NodeDriver
import ProcessHarness
import SampleData
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// A folder with the nodes of one account, for one test.
final class Fixture {
    let folder: TemporaryFolder
    let binary: NodeBinary
    private(set) var nodes: [DrivenNode] = []

    init() throws {
        folder = try TemporaryFolder("kachat-process")
        binary = try #require(NodeBinary.besideThisProgram(), "the tests run beside the built kachat-node")
    }

    deinit {
        for node in nodes { node.stop() }
    }

    var phraseFile: String { folder.file("phrase") }

    /// Makes a node with a home; the first one creates the account, the others join it.
    func node(_ name: String) throws -> DrivenNode {
        let node = DrivenNode(binary, name: name, home: folder.file(name))
        if nodes.isEmpty {
            try node.initialise()
            try node.savePhrase(to: phraseFile)
        } else {
            try node.initialise(phraseFile: phraseFile)
        }
        nodes.append(node)
        return node
    }

    /// Adds a node whose home was made by other means.
    func adopt(_ name: String, home: String) -> DrivenNode {
        let node = DrivenNode(binary, name: name, home: home)
        nodes.append(node)
        return node
    }

    /// Adds a node to be stopped in the end, with its log shown on failure.
    func adopt(_ node: DrivenNode) { nodes.append(node) }

    /// A node of another person.
    func stranger() throws -> DrivenNode {
        let node = DrivenNode(binary, name: "stranger", home: folder.file("stranger"))
        try node.initialise()
        nodes.append(node)
        return node
    }

    func started(_ names: String...) throws -> [DrivenNode] {
        let nodes = try names.map { try node($0) }
        for node in nodes { try node.start() }
        return nodes
    }

    /// Writes lines into a file of the folder and returns its path.
    func file(_ name: String, _ lines: [String]) throws -> String {
        let path = folder.file(name)
        try FileTree.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: path)
        return path
    }

    // MARK: Waiting

    /// Waits until the condition holds; on a timeout, fails with what the nodes say of themselves and their logs.
    func wait(
        _ what: Comment, within duration: Duration = Deadline.patience,
        sourceLocation: SourceLocation = #_sourceLocation,
        until condition: () throws -> Bool
    ) throws {
        let deadline = Deadline(after: duration)
        while try !condition() {
            guard !deadline.hasPassed else {
                let states = nodes.map { node in
                    let state = (try? node.run(["status", "--json"], within: .seconds(5))) ?? "no status"
                    return "--- \(node.name)\n\(state)\n\(node.log.suffix(1500))"
                }
                Issue.record("timed out: \(what)\n\(states.joined(separator: "\n"))", sourceLocation: sourceLocation)
                throw HarnessError.timedOut(waitingFor: "\(what)")
            }
            usleep(30_000)
        }
    }

    /// Waits until the nodes hold the same, and that many messages.
    func waitForAgreement(
        _ nodes: [DrivenNode], messages: Int, within duration: Duration = .seconds(300),
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try wait("\(nodes.count) nodes agree on \(messages) messages", within: duration, sourceLocation: sourceLocation)
        {
            let accounts = try nodes.compactMap { try $0.status().account }
            return Set(accounts.map(\.zoneDigest)).count == 1
                && accounts.allSatisfy { $0.messages == messages && $0.wantedBlobs == 0 && $0.caughtUp }
        }
    }

    /// Waits until each node is connected to all others.
    func waitForConnections(_ nodes: [DrivenNode], sourceLocation: SourceLocation = #_sourceLocation) throws {
        try wait("\(nodes.count) nodes are connected", sourceLocation: sourceLocation) {
            try nodes.allSatisfy { try $0.status().connectedDevices >= nodes.count - 1 }
        }
    }
}

/// Generated messages as lines of an import.
struct Talk {
    let messages: [SampleMessage]

    init(_ count: Int, conversations: Int = 20, seed: UInt64 = 7) {
        messages = SampleChat(seed: seed, messageCount: count, conversationCount: min(conversations, count)).messages()
    }

    var lines: [String] { messages.map(\.jsonLine) }
    func lines(of device: String) -> [String] { messages.filter { $0.device == device }.map(\.jsonLine) }
    var received: Int { messages.count { !$0.isSent } }
    var conversations: Int { Set(messages.map(\.conversationID)).count }
}

/// The findings of a scrub.
struct ScrubReport: Decodable, Equatable {
    var damagedRows, damagedBlobs, damagedIndexes, lanesDiffering, lostMessages: Int

    static let clean = ScrubReport(
        damagedRows: 0, damagedBlobs: 0, damagedIndexes: 0, lanesDiffering: 0, lostMessages: 0)
}

extension DrivenNode {
    func scrub() throws -> ScrubReport { try object(ScrubReport.self, ["scrub"]) }

    /// The txids in an export.
    func exportedTxids() throws -> Set<String> {
        Set(try objects(ListedMessage.self, ["export"]).map(\.txid))
    }

    /// The node's messages, as `status` counts them.
    func messageCount() throws -> Int { try status().account?.messages ?? 0 }
}
