/// Names an account: the public Ed25519 key made from the recovery phrase.
@usableFromInline
package struct AccountID: Identifier32 {
    @usableFromInline package let storage: Bytes32

    @inlinable
    package init(_ storage: Bytes32) { self.storage = storage }
}
