/// The transaction id of a chat message.
package struct TxID: Identifier32 {
    package let storage: Bytes32

    @inlinable
    package init(_ storage: Bytes32) { self.storage = storage }
}
