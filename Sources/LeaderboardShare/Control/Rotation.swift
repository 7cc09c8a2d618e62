package import NodeCore

/// Starts a new epoch. The highest number counts, then the lower hash; all valid ones stay recognised.
package struct Rotation: Hashable, Sendable {
    package let number: UInt64
    /// Commits to the new root.
    package let commitment: Bytes32
    /// The genesis or rotation that started the epoch of the root in `sealedPrevious`.
    package let previous: RecordHash
    /// The previous root, sealed under the new one, so that new members can read history.
    package let sealedPrevious: [UInt8]
    /// The removals that its list of members takes into account.
    package let follows: NameSet

    package init(
        number: UInt64, commitment: Bytes32, previous: RecordHash, sealedPrevious: [UInt8], follows: NameSet
    ) {
        self.number = number
        self.commitment = commitment
        self.previous = previous
        self.sealedPrevious = sealedPrevious
        self.follows = follows
    }
}
