/// BLAKE2b-256 of a blob's ciphertext, which is its address.
package struct BlobHash: Identifier32 {
    package let storage: Bytes32

    @inlinable
    package init(_ storage: Bytes32) { self.storage = storage }
}
