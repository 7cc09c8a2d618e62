/// Why bytes could not be read.
@usableFromInline
package enum ByteError: Error, Equatable, Sendable {
    /// The bytes end before the value does.
    case truncated
    /// Unread bytes remain after the last value.
    case trailingBytes(count: Int)
    /// A variable-length number is longer than needed or does not fit 64 bits.
    case malformedNumber
}
