/// Why bytes are not the deterministic CBOR that was expected; `at` is the index of the item's first byte.
@usableFromInline
package enum CBORError: Error, Equatable, Sendable {
    /// The bytes end inside an item, or a length claims more than there is.
    case truncated(at: Int)
    /// A well-formed item of another type stands here.
    case unexpectedType(at: Int)
    /// A number or length is not in its shortest form.
    case notShortest(at: Int)
    /// A float, tag, indefinite length, undefined or other simple value, or a reserved form.
    case unsupported(at: Int)
    /// The number does not fit the wanted range.
    case outOfRange(at: Int)
    /// A string or container is larger than the caller allows, or an identifier has another size.
    case wrongSize(at: Int)
    /// A map's keys are not unsigned numbers in strictly ascending order.
    case keyOrder(at: Int)
    /// A text string is not UTF-8.
    case invalidText(at: Int)
    /// Containers are nested deeper than `Limits.cborDepth`.
    case tooDeep(at: Int)
    /// Bytes are left over behind the last item.
    case trailingBytes(at: Int)
}
