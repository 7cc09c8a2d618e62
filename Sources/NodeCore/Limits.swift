/// Bounds of this module, with the reason for each number.
package enum Limits {
    /// How deep CBOR containers may be nested: our deepest message needs 5, and recursion stays bounded.
    package static let cborDepth = 8

    /// Argon2id passes over the memory. Parameters come from a file that others may have touched: without an upper
    /// bound a changed file would keep the node busy for ever.
    package static let argon2OpsLimit: ClosedRange<UInt64> = 1...16

    /// Argon2id memory in bytes: libsodium's least, and what a small always-on box can still give.
    package static let argon2MemoryBytes: ClosedRange<Int> = 8_192...1_073_741_824

    /// HKDF-SHA256 gives at most 255 blocks (RFC 5869 §2.3).
    package static let hkdfOutputBytes = 255 * 32

    /// A longer word gets no suggestions: the longest in the list has 8 letters, and the search costs its square.
    package static let mnemonicWordBytes = 16
}
