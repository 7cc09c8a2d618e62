/// Why an old app's read state is not taken.
package enum ReadImportError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Its block time is later than this device's clock, or in another unit than milliseconds.
    case inTheFuture

    package var description: String { "the block time must be in milliseconds since 1970, and not in the future" }
}
