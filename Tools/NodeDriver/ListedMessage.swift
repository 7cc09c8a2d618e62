/// One object of `kachat-node message list --json` or `message show --json`.
package struct ListedMessage: Decodable, Sendable {
    package var txid: String
    package var conversationId: String?
    package var direction: String?
    package var body: String?
    package var read: Bool?
    package var status: String?
    package var cursor: String?
    package var readAt: Int64?
    package var readBy: String?
    package var acceptingDaaScore: UInt64?
    package var waitingFor: String?
    package var nextTry: Int64?
    /// Only from `message hint` and `message add`.
    package var result: String?
}
