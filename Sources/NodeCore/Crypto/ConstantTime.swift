import CSodium

/// Comparisons whose time does not depend on where two values differ.
package enum ConstantTime {
    /// True if both have the same length and bytes; only the length can be learnt from the time taken.
    package static func equals(_ left: Secret, _ right: Secret) -> Bool {
        left.withUnsafeBytes { a in right.withUnsafeBytes { b in equals(a, b) } }
    }

    /// For tags and digests kept inline; identifiers of different types cannot be compared.
    package static func equals<ID: Identifier>(_ left: ID, _ right: ID) -> Bool {
        left.withUnsafeBytes { a in right.withUnsafeBytes { b in equals(a, b) } }
    }

    private static func equals(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        left.count == right.count && sodium_memcmp(left.start, right.start, left.count) == 0
    }
}
