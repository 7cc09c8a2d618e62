/// Numbers of the packed trees of an account's database. A number is never given to another tree.
package enum PackedTree {
    /// Hash of a txid → location of the message.
    package static let messageByTxid: Int64 = 1
    /// Conversation, order, txid prefix, location → time and flags.
    package static let messageOrder: Int64 = 2
    /// Hash of a txid, location: further copies of a message.
    package static let messageCopies: Int64 = 3
}
