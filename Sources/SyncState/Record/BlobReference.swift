package import NodeCore

/// The ciphertext that a record points at.
package struct BlobReference: Hashable, Sendable {
    /// BLAKE2b-256 of the ciphertext.
    package let hash: BlobHash
    /// Bytes of the ciphertext, 1 to `Limits.blobSizeBytes`.
    package let sizeBytes: Int

    package init(hash: BlobHash, sizeBytes: Int) {
        self.hash = hash
        self.sizeBytes = sizeBytes
    }
}

extension BlobHash {
    package init(of blob: [UInt8]) { self.init(blob.withUnsafeBytes { Blake2b.hash32($0) }) }
}
