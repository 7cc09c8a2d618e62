import KaChatClient

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A chat in a terminal. It shows a conversation and new messages, whichever device they were written on, and sends
/// what is typed. `/search WORDS` searches, `/quit` ends it.
///
/// ```
/// KACHAT_TOKEN=… chat-example --api 127.0.0.1:47768 alice
/// ```
@main struct Chat {
    let client: NodeClient
    let conversation: String

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count == 3, arguments[0] == "--api", let token = getenv("KACHAT_TOKEN") else {
            return fail("KACHAT_TOKEN=TOKEN chat-example --api HOST:PORT CONVERSATION")
        }
        do {
            let client = try NodeClient(api: arguments[1], token: String(cString: token))
            try await Chat(client: client, conversation: arguments[2]).run()
        } catch {
            fail("\(error)")
        }
    }

    func run() async throws {
        // First the place, then what is there: the feed reports what changes in between, and it is shown once.
        let place = try await client.place()
        try await showNewest()
        say("-- \(try await client.status().accounts.first?.sentence ?? "no account")")

        // Not on the main actor, which waits for the keyboard below.
        let incoming = Task.detached { await follow(from: place) }
        while let line = readLine(), line != "/quit" {
            do {
                try await take(line)
            } catch {
                say("-- not sent: \(error)")
            }
        }
        incoming.cancel()
        try? await client.leave(conversation)
    }

    // MARK: What comes in

    /// Shows what happens in the conversation until the task is cancelled. It connects again by itself.
    @concurrent
    private func follow(from place: ChangePlace) async {
        do {
            for try await event in client.events(since: place) {
                switch event {
                case .here: break
                case .change(let change): try await show(change)
                case .reset: try await showNewest()
                }
            }
        } catch let error as ClientError where error.code == .cancelled {
        } catch {
            say("-- nothing more comes in: \(error)")
        }
    }

    private func show(_ change: Change) async throws {
        guard change.conversationId == conversation else { return }
        switch change.kind {
        case .messageAdded, .messageResolved:
            // Many at once come without their names: then the newest page has what a screen can show.
            if change.txids.isEmpty { try await showNewest() }
            for txid in change.txids {
                do throws(ClientError) {
                    let message = try await client.message(txid)
                    show(message)
                    // It is on the screen, so it is read, on all devices.
                    if message.direction == .received { try await client.markRead(conversation, upTo: txid) }
                } catch {
                    // It may have been deleted since.
                    guard error.code == .notFound else { throw error }
                }
            }
        case .messageDeleted: say("-- a message was deleted")
        default: break
        }
    }

    /// The newest messages, the last one at the bottom. A conversation without messages does not exist yet.
    private func showNewest() async throws {
        do {
            let page = try await client.messages(in: conversation, limit: 20)
            for message in page.messages.reversed() { show(message) }
        } catch {
            guard error.code == .notFound else { throw error }
            say("-- \(conversation): nothing yet")
        }
    }

    private func show(_ message: Message) {
        let who = message.direction == .sent ? "me" : message.contact ?? "?"
        say("\(who): \(message.body ?? "(\(message.waitingFor ?? "on its way"))")")
    }

    // MARK: What is typed

    private func take(_ line: String) async throws {
        if line.hasPrefix("/search ") {
            let found = try await client.search(String(line.dropFirst(8)), in: conversation, limit: 20)
            say("-- \(found.count) found")
            for message in found { show(message) }
        } else if !line.isEmpty {
            try await send(line)
        }
    }

    private func send(_ text: String) async throws {
        // The txid is that of the transaction that carries the message; here there is none, so a random one is used.
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
    say("chat-example: \(reason)")
    exit(1)
}
