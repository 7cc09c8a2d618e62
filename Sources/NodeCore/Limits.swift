/// Bounds of this module, with the reason for each number.
package enum Limits {
    /// Maximum nesting of CBOR containers: our deepest message needs 5, and it bounds recursion.
    package static let cborDepth = 8

    /// HKDF-SHA256 outputs at most 255 blocks (RFC 5869 §2.3).
    package static let hkdfOutputBytes = 255 * 32

    /// Longer words get no suggestions: the longest in the list has 8 letters, and the cost of the search is quadratic.
    package static let mnemonicWordBytes = 16
}
