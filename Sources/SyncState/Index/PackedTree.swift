/// Numbers of the packed trees in an account's database. Numbers are never reused.
package enum PackedTree {
    /// Hash of a txid → location of the message.
    package static let messageByTxid: Int64 = 1
    /// Conversation, order, txid prefix, location → time and flags.
    package static let messageOrder: Int64 = 2
    /// Hash of a txid, location: further copies of a message.
    package static let messageCopies: Int64 = 3
}
