import KaChatClient
import KaChatNode

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A chat that needs no other program: its node is in its own process, as in an app on a phone. What is typed is sent;
/// `/background`, `/foreground` and `/quit` are what the system tells an app.
///
/// ```
/// [KACHAT_PHRASE=…] embedded-example FOLDER CONVERSATION [HOST:PORT of another device]
/// ```
@main struct Embedded {
    let node: InProcessNode
    let client: NodeClient
    let conversation: String

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard (2...3).contains(arguments.count) else {
            return fail("embedded-example FOLDER CONVERSATION [HOST:PORT]")
        }
        do {
            let node = try await open(arguments[0], peer: arguments.count == 3 ? arguments[2] : nil)
            try await Embedded(node: node, client: node.client(), conversation: arguments[1]).run()
        } catch {
            fail("\(error)")
        }
    }

    /// Starts the node. The first time, the device gets its keys, of a new account or of one that other devices have.
    static func open(_ folder: String, peer: String?) async throws -> InProcessNode {
        if !InProcessNode.hasHome(at: folder) {
            let known = getenv("KACHAT_PHRASE").map { String(cString: $0) }
            let phrase = try InProcessNode.makeHome(at: folder, name: "phone", phrase: known)
            if let phrase { say("-- to be written down: \(phrase)") }
        }
        var options = InProcessNode.Options()
        if let peer {
            // An address needs no multicast: no other device is looked for.
            options.discovery = "off"
            options.peers = [peer]
        }
        return try await InProcessNode.start(home: folder, options: options)
    }

    func run() async throws {
        let place = try await client.place()
        let incoming = Task.detached { try await follow(from: place) }
        say("-- ready")
        while let line = readLine(), line != "/quit" {
            switch line {
            case "/background": try await didEnterBackground()
            case "/foreground": try await willEnterForeground()
            case "": break
            default: try await send(line)
            }
        }
        incoming.cancel()
        await willTerminate()
    }

    // MARK: What the system tells an app

    /// Within a second, everything is closed that a suspended app must not hold.
    func didEnterBackground() async throws {
        let done = try await client.background()
        say("-- background: \(done.handedOver ? "all is handed over" : "some waits for the next time")")
    }

    func willEnterForeground() async throws {
        try await client.foreground()
        say("-- foreground")
    }

    func willTerminate() async { await node.stop() }

    // MARK: Messages

    @concurrent
    private func follow(from place: ChangePlace) async throws {
        for try await change in client.changes(since: place) where change.kind == .messageAdded {
            for txid in change.txids {
                do throws(ClientError) {
                    say("\(try await client.message(txid).body ?? "(on its way)")")
                } catch {
                    // It may have been deleted since.
                    guard error.code == .notFound else { throw error }
                }
            }
        }
    }

    private func send(_ text: String) async throws {
        let digits = (0..<64).map { _ in String(Int.random(in: 0..<16), radix: 16) }
        try await client.add(
            NewMessage(
                txid: digits.joined(), conversationId: conversation, contact: conversation, direction: .sent,
                senderTs: time(nil), body: text))
    }
}

/// Prints a line at once, even if the output is not a terminal.
func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
}

func fail(_ reason: String) {
    say("embedded-example: \(reason)")
    exit(1)
}
