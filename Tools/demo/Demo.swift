import NodeDriver
import ProcessHarness

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Real nodes on this machine that find each other, import parts of a chat history, and all end up with the whole:
/// through kills, and with a fourth that joins empty.
struct Demo {
    let display = Display()
    let folder: TemporaryFolder
    let binary: NodeBinary
    let chat: ChatFile
    var nodes: [DrivenNode] = []

    var phraseFile: String { folder.file("phrase") }

    static func main() {
        var status: Int32 = 1
        do {
            if CommandLine.arguments.dropFirst().contains("--help") {
                Display.write(DemoArguments.usage + "\n")
                exit(0)
            }
            let arguments = try DemoArguments(Array(CommandLine.arguments.dropFirst()))
            try Cleanup.catchSignals(farewell: "\ninterrupted; the nodes are stopped, their folders removed\n")
            var demo = try Demo(arguments)
            status = try demo.run() ? 0 : 1
        } catch {
            Display.write("demo: \(error)\n", to: 2)
        }
        // Everything the demo started and created is removed on the way.
        exit(status)
    }

    private init(_ arguments: DemoArguments) throws {
        guard let binary = arguments.node.map(NodeBinary.init(path:)) ?? .besideThisProgram() else {
            throw DriverError("no kachat-node beside this program; run `make build`, or name one with --node")
        }
        self.binary = binary
        folder = try TemporaryFolder("kachat-demo")
        if let path = arguments.chat {
            chat = try ChatFile.read(path, in: folder)
        } else {
            chat = try ChatFile.generate(arguments, in: folder)
        }
    }

    /// - Returns: whether all nodes hold the same, equal to the file.
    private mutating func run() throws -> Bool {
        let total = Text.count(chat.messages, "message") + " in " + Text.count(chat.conversations, "conversation")
        display.say("A chat history of \(total), seen in parts by \(chat.devices.joined(separator: ", ")).")
        try findEachOther()
        try importParts()
        try restoreAnother()
        let isGood = try compare()
        for node in nodes { node.stop() }
        return isGood
    }

    // MARK: Watching

    /// Draws the nodes and polls until their states satisfy the condition.
    func watch(
        _ what: String, within duration: Duration = .seconds(300), until condition: ([NodeStatus]) throws -> Bool
    ) throws {
        let deadline = Deadline(after: duration)
        while true {
            let all = try nodes.map { try $0.status() }
            draw(all)
            if try condition(all) { return }
            if deadline.hasPassed { throw DriverError("timed out: \(what)" + troubles()) }
            usleep(20_000)
        }
    }

    func draw(_ all: [NodeStatus?]) {
        display.update(
            zip(nodes, all).map { node, status in
                guard let account = status?.account else { return Text.left(node.name, 8) + " is down" }
                let messages = Text.right(Text.count(account.messages), 7)
                let peers = Text.count(status?.connectedDevices ?? 0, "peer")
                let bar = Text.bar(account.messages, of: chat.messages)
                // A node knows nothing of what the others still import.
                let isFull = account.messages >= chat.messages
                let state = account.state == "synced" && !isFull ? "synced so far" : account.state
                return "\(Text.left(node.name, 8)) \(bar) \(messages) messages  \(peers)  \(state)"
            })
    }

    /// The ends of the nodes' logs, for an error message: their folder is about to be removed.
    private func troubles() -> String {
        nodes.filter { !$0.log.isEmpty }.map { "\n--- \($0.name)\n\($0.log.suffix(1_500))" }.joined()
    }

    /// All hold everything, with nothing missing, and agree.
    func agree(_ all: [NodeStatus]) -> Bool {
        let accounts = all.compactMap(\.account)
        return accounts.count == nodes.count && Set(accounts.map(\.zoneDigest)).count == 1
            && accounts.allSatisfy { $0.messages == chat.messages && $0.wantedBlobs == 0 && $0.caughtUp }
    }
}
