/// Why a segment, its name or its meta is not read. Never traps, whatever the bytes.
package enum SegmentError: Error, Equatable, Sendable {
    /// The record's name is not that of a segment.
    case badName
    /// The record's meta is not that of a segment.
    case badMeta
    /// The ciphertext does not belong to this key, name and header.
    case notAuthentic
    /// The payload has a version that this program does not know: update it.
    case unknownVersion(UInt64)
    /// The declared size is beyond the limit.
    case tooLarge(UInt64)
    /// zstd refused the bytes, or they are not as long as declared.
    case badCompression
    /// The payload is not of the grammar, at this byte.
    case malformed(at: Int)
    /// The compressor's result did not give the payload back.
    case compressorFault
}
