/// Bounds of this module, with the reason for each number.
package enum Limits {
    /// Maximum nesting of CBOR containers: our deepest message needs 5, and it bounds recursion.
    package static let cborDepth = 8

    /// Argon2id passes over memory. The parameters come from a file that others may have changed: without an upper
    /// bound such a file could keep the node busy for ever.
    package static let argon2OpsLimit: ClosedRange<UInt64> = 1...16

    /// Argon2id memory in bytes: from libsodium's minimum to what a small always-on box can still provide.
    package static let argon2MemoryBytes: ClosedRange<Int> = 8_192...1_073_741_824

    /// HKDF-SHA256 outputs at most 255 blocks (RFC 5869 §2.3).
    package static let hkdfOutputBytes = 255 * 32

    /// Longer words get no suggestions: the longest in the list has 8 letters, and the cost of the search is quadratic.
    package static let mnemonicWordBytes = 16
}
