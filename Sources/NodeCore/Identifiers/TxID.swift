/// The transaction id of a chat message.
@usableFromInline
package struct TxID: Identifier32 {
    @usableFromInline package let storage: Bytes32

    @inlinable
    package init(_ storage: Bytes32) { self.storage = storage }
}
