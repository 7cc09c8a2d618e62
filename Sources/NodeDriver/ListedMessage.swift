/// One object of `kachat-node message list --json` or `message show --json`.
package struct ListedMessage: Decodable, Sendable {
    package var txid: String
    package var conversationId: String?
    package var direction: String?
    package var senderTs: Int64?
    package var body: String?
    package var read: Bool?
    package var status: String?
    package var cursor: String?
}
