import KaChatClient
import Observation

/// The data that a chat app's views show. The node's feed keeps it up to date, whichever device something happens on.
///
/// A SwiftUI view holds it in `@State`, reads its properties, and keeps it running by `.task { await model.run() }`.
/// The model itself needs no SwiftUI.
@MainActor @Observable final class ChatModel {
    /// The conversation with the newest message first.
    private(set) var conversations: [Conversation] = []
    /// The messages of the open conversation that are loaded, the oldest first.
    private(set) var messages: [Message] = []
    /// The conversation on the screen.
    private(set) var open: String?
    /// The state of the account, in a sentence for people.
    private(set) var sentence = ""
    /// For the user: why nothing comes in, or why something was not sent.
    private(set) var failure: ClientError?

    var unread: Int { conversations.reduce(0) { $0 + $1.unread } }
    var hasOlder: Bool { cursor != nil }

    @ObservationIgnored private let client: NodeClient
    /// From where older messages continue; nil if there are none.
    private var cursor: String?

    init(client: NodeClient) { self.client = client }

    // MARK: What comes in

    /// Follows the node until the task is cancelled.
    func run() async {
        do throws(ClientError) {
            // First the place, then what is there: the feed reports what changes in between.
            let place = try await client.place()
            try await readEverything()
            for try await event in client.events(since: place) {
                switch event {
                case .here: break
                case .reset: try await readEverything()
                case .change(let change): try await take(change)
                }
            }
        } catch {
            if error.code != .cancelled { failure = error }
        }
    }

    private func readEverything() async throws(ClientError) {
        conversations = try await client.conversations()
        sentence = try await client.status().accounts.first?.summary ?? ""
        if open != nil { try await readMessages() }
    }

    private func take(_ change: Change) async throws(ClientError) {
        if let id = change.conversationId {
            try await readRow(id)
            if id == open { try await readMessages() }
        } else if change.kind == .sync || change.kind == .device {
            sentence = try await client.status().accounts.first?.summary ?? ""
        }
    }

    /// One row of the list, which moves up if its newest message is newer.
    private func readRow(_ id: String) async throws(ClientError) {
        let row = try await found { () throws(ClientError) in try await client.conversation(id) }
        conversations.removeAll { $0.conversationId == id }
        guard let row, row.messages + row.placeholders > 0 else { return }
        let place = conversations.firstIndex { $0.newest <= row.newest } ?? conversations.endIndex
        conversations.insert(row, at: place)
    }

    /// As many of the newest messages as are shown.
    private func readMessages() async throws(ClientError) {
        guard let id = open else { return }
        let shown = messages.count
        let limit = min(max(shown, 50), 500)
        let page = try await found { () throws(ClientError) in try await client.messages(in: id, limit: limit) }
        guard id == open else { return }
        // Older ones were loaded meanwhile, and stay.
        guard messages.count <= shown else { return try await readMessages() }
        (messages, cursor) = (page?.messages.reversed() ?? [], page?.cursor)
    }

    /// Nil if it does not exist, or no longer does.
    private func found<Value>(_ read: () async throws(ClientError) -> Value) async throws(ClientError) -> Value? {
        do {
            return try await read()
        } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
    }

    // MARK: What the user does

    /// Shows a conversation; what is on the screen is read, on all devices.
    func show(_ id: String?) async {
        let left = open
        (open, messages, cursor) = (id, [], nil)
        await carryOut { () throws(ClientError) in
            if let left { try await client.leave(left) }
            try await readMessages()
            if let id, messages.contains(where: { !$0.isRead }) { try await client.markRead(id) }
        }
    }

    func loadOlder() async {
        await carryOut { () throws(ClientError) in
            while let id = open, let from = cursor {
                let page = try await client.messages(in: id, cursor: from)
                // The user may have gone elsewhere; or a message came, and older ones continue from another place.
                guard id == open else { return }
                guard from == cursor else { continue }
                (messages, cursor) = (page.messages.reversed() + messages, page.cursor)
                return
            }
        }
    }

    /// Sends a message. It is in the list once the feed has reported it.
    func send(_ message: NewMessage) async {
        await carryOut { () throws(ClientError) in try await client.add(message) }
    }

    private func carryOut(_ action: () async throws(ClientError) -> Void) async {
        do {
            try await action()
            failure = nil
        } catch {
            failure = error
        }
    }
}

extension Conversation {
    /// The time of the newest message, in milliseconds since 1970.
    fileprivate var newest: Int { lastBlockTime ?? (lastSenderTs ?? 0) * 1_000 }
}
