/// BLAKE2b-256 of a blob's ciphertext, which is its address.
@usableFromInline
package struct BlobHash: Identifier32 {
    @usableFromInline package let storage: Bytes32

    @inlinable
    package init(_ storage: Bytes32) { self.storage = storage }
}
