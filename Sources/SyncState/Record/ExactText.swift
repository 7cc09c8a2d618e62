/// A text compared by its bytes: Swift treats strings that only look the same as equal, but to a hash, and so to other
/// devices, they are different values.
package struct ExactText: Hashable, Comparable, Sendable {
    /// Valid UTF-8.
    package let utf8: [UInt8]

    package init(_ text: String) { utf8 = Array(text.utf8) }

    package var text: String { String(decoding: utf8, as: UTF8.self) }

    package static func < (one: ExactText, other: ExactText) -> Bool {
        one.utf8.lexicographicallyPrecedes(other.utf8)
    }
}
