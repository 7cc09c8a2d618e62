/// Why bytes could not be read.
@usableFromInline
package enum ByteError: Error, Equatable, Sendable {
    /// The bytes end before what was to be read.
    case truncated
    /// Bytes are left over after the last thing that belongs there.
    case trailingBytes(count: Int)
    /// A variable-length number is longer than needed or does not fit 64 bits.
    case malformedNumber
}
