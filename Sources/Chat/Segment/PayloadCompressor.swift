import CZstd
import SyncState

/// Compresses payloads and gives them back, with contexts and a buffer that are kept.
///
///     compressed = version (1 byte, 1) ‖ size of the payload (4 bytes, big-endian) ‖ one zstd frame
///
/// The size is checked against the limit before a byte is decompressed, and is all the room the decompressor gets.
final class PayloadCompressor {
    private static let version: UInt8 = 1
    private static let headerBytes = 5

    private let decompressor: OpaquePointer
    /// Made when first needed: a node that only receives never compresses.
    private var compressor: OpaquePointer?
    private var output: [UInt8] = []

    init() {
        guard let decompressor = ZSTD_createDCtx() else {
            preconditionFailure("invariant: there is memory for a decompressor")
        }
        self.decompressor = decompressor
    }

    deinit {
        ZSTD_freeDCtx(decompressor)
        ZSTD_freeCCtx(compressor)
    }

    /// Compresses, and verifies that the payload comes back.
    func compress(_ payload: [UInt8]) throws(SegmentError) -> [UInt8] {
        guard payload.count <= Limits.payloadBytes else { throw .tooLarge(UInt64(payload.count)) }
        let compressor = self.compressor ?? ZSTD_createCCtx()
        self.compressor = compressor
        let bound = ZSTD_compressBound(payload.count)
        var size = 0
        let result = [UInt8](unsafeUninitializedCapacity: Self.headerBytes + bound) { buffer, count in
            buffer[0] = Self.version
            for index in 0..<4 { buffer[1 + index] = UInt8(truncatingIfNeeded: payload.count >> (24 - 8 * index)) }
            size = ZSTD_compressCCtx(
                compressor, buffer.baseAddress.map { $0 + Self.headerBytes }, bound, payload, payload.count,
                SyncState.Limits.compressionLevel)
            count = ZSTD_isError(size) == 0 ? Self.headerBytes + size : 0
        }
        guard !result.isEmpty, try isSame(result, payload) else { throw .compressorFault }
        return result
    }

    private func isSame(_ compressed: [UInt8], _ payload: [UInt8]) throws(SegmentError) -> Bool {
        var isSame = false
        try compressed.withUnsafeBytesThrowing { (bytes) throws(SegmentError) in
            try decompress(bytes) { isSame = $0.elementsEqual(payload) }
        }
        return isSame
    }

    /// Lends the payload; it stays until the next call. `body` must not call this object.
    func decompress<T>(
        _ compressed: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws(SegmentError) -> T
    ) throws(SegmentError) -> T {
        guard compressed.count > Self.headerBytes else { throw .badCompression }
        guard compressed[0] == Self.version else { throw .unknownVersion(UInt64(compressed[0])) }
        let declared = UInt32(bigEndian: compressed.loadUnaligned(fromByteOffset: 1, as: UInt32.self))
        guard declared <= UInt32(Limits.payloadBytes) else { throw .tooLarge(UInt64(declared)) }
        let size = Int(declared)
        if output.count < size { output = [UInt8](repeating: 0, count: max(size, 16_384)) }
        // Out of the object while it is lent, so that the accesses cannot overlap.
        var buffer: [UInt8] = []
        swap(&buffer, &output)
        defer { swap(&buffer, &output) }
        let written = buffer.withUnsafeMutableBytes { buffer in
            ZSTD_decompressDCtx(
                decompressor, buffer.baseAddress, size, compressed.baseAddress.map { $0 + Self.headerBytes },
                compressed.count - Self.headerBytes)
        }
        guard ZSTD_isError(written) == 0, written == size else { throw .badCompression }
        return try buffer.withUnsafeBytesThrowing { (bytes) throws(SegmentError) in
            try body(UnsafeRawBufferPointer(rebasing: bytes[..<size]))
        }
    }
}

extension [UInt8] {
    /// `withUnsafeBytes` with a typed throw, which the standard library's does not pass on.
    @inline(__always)
    func withUnsafeBytesThrowing<T>(
        _ body: (UnsafeRawBufferPointer) throws(SegmentError) -> T
    ) throws(SegmentError) -> T {
        let result: Result<T, SegmentError> = withUnsafeBytes { bytes in
            do throws(SegmentError) {
                return .success(try body(bytes))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
