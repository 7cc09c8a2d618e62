/// The types of item our subset of CBOR knows.
@usableFromInline
package enum CBORKind: Equatable, Sendable {
    case unsigned
    case negative
    case bytes
    case text
    case array
    case map
    case bool
    case null
}
