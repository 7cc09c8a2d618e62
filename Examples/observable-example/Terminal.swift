import KaChatClient
import Observation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Shows a `ChatModel` in a terminal, as a view would: again whenever it changes. What is typed is sent.
///
/// ```
/// KACHAT_TOKEN=… observable-example --api 127.0.0.1:47768 alice
/// ```
@main struct Terminal {
    @MainActor static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count == 3, arguments[0] == "--api", let token = getenv("KACHAT_TOKEN") else {
            return fail("KACHAT_TOKEN=TOKEN observable-example --api HOST:PORT CONVERSATION")
        }
        do throws(ClientError) {
            let client = try NodeClient(api: arguments[1], token: String(cString: token))
            await show(ChatModel(client: client), arguments[2])
        } catch {
            fail("\(error)")
        }
    }

    @MainActor private static func show(_ model: ChatModel, _ conversation: String) async {
        let running = Task { await model.run() }
        let shown = Task {
            for await text in Observations({ Self.text(of: model) }) { say(text) }
        }
        await model.show(conversation)
        for await line in lines() {
            if line == "/older" { await model.loadOlder() } else { await model.send(message(line, in: conversation)) }
        }
        await model.show(nil)
        running.cancel()
        shown.cancel()
    }

    /// The view: everything that it reads of the model is observed.
    @MainActor private static func text(of model: ChatModel) -> String {
        let newest = model.messages.last?.body ?? "nothing yet"
        let list = model.conversations.map { "\($0.title ?? $0.conversationId) (\($0.unread))" }
        let failure = model.failure.map { " -- \($0.message)" } ?? ""
        return "[\(list.joined(separator: ", "))] \(model.messages.count): \(newest)\(failure)"
    }

    /// The lines that are typed, read beside the main actor, which waits for nobody.
    private static func lines() -> AsyncStream<String> {
        AsyncStream { continuation in
            Task.detached {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }

    private static func message(_ text: String, in conversation: String) -> NewMessage {
        // The txid is that of the transaction that carries the message; here there is none, so a random one is used.
        let digits = (0..<64).map { _ in String(Int.random(in: 0..<16), radix: 16) }
        return NewMessage(
            txid: digits.joined(), conversationId: conversation, contact: conversation, direction: .sent,
            senderTs: time(nil), body: text)
    }
}

/// Prints a line at once, even if the output is not a terminal.
func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
}

func fail(_ reason: String) {
    say("observable-example: \(reason)")
    exit(1)
}
