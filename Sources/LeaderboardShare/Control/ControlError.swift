/// Why bytes are no control record of this group. The record is refused and counted; nothing else suffers.
package enum ControlError: Error, Equatable, Sendable {
    /// Not the deterministic encoding of a control record.
    case malformed
    /// A format of a later version: update.
    case laterFormat
    /// Longer than `Limits.controlRecordBytes`.
    case tooLong
    /// The list of names that belongs to it is missing, or is another one.
    case wrongNames
    /// A title or description with control characters, empty, or too long.
    case badTitle
    /// Not signed by the key that it claims, or the second signature is missing.
    case badSignature
    /// A genesis whose hash is not the group's id.
    case wrongGroup
    /// An admission whose chain or proof does not verify.
    case badChain
}
