/// The reasons that bytes are not a control record of this group. The record is refused and counted; nothing else
/// suffers.
package enum ControlError: Error, Equatable, Sendable {
    /// Not the deterministic encoding of a control record.
    case malformed
    /// A format of a later version: update.
    case laterFormat
    /// Longer than `Limits.controlRecordBytes`.
    case tooLong
    /// Its list of names is missing or wrong.
    case wrongNames
    /// A title or description with control characters, empty, or too long.
    case badTitle
    /// Not signed by the claimed key, or the second signature is missing.
    case badSignature
    /// A genesis whose hash is not the group's id.
    case wrongGroup
    /// An admission whose chain or proof does not verify.
    case badChain
}
