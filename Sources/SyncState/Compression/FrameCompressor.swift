import CZstd

/// Writes zstd frames (RFC 8878) piece by piece, each with a checksum of its content.
package final class FrameCompressor {
    private let context: OpaquePointer
    private var output: [UInt8]

    package init() {
        guard let context = ZSTD_createCCtx() else {
            preconditionFailure("invariant: there is memory for a compressor")
        }
        self.context = context
        output = [UInt8](repeating: 0, count: ZSTD_CStreamOutSize())
        ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, Limits.compressionLevel)
        ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
    }

    deinit { ZSTD_freeCCtx(context) }

    /// Compresses a piece of the content and passes on the output that is ready. With `isLast` the frame ends, and the
    /// next piece starts another.
    ///
    /// - Throws: `FrameError.fault`, or an error of `write`.
    package func compress(
        _ bytes: UnsafeRawBufferPointer, isLast: Bool, _ write: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
        let directive = isLast ? ZSTD_e_end : ZSTD_e_continue
        while true {
            var (left, written) = (0, 0)
            output.withUnsafeMutableBytes { output in
                var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
                left = ZSTD_compressStream2(context, &target, &input, directive)
                written = target.pos
            }
            guard ZSTD_isError(left) == 0 else { throw FrameError.fault }
            if written > 0 {
                try output.withUnsafeBytes { try write(UnsafeRawBufferPointer(rebasing: $0[..<written])) }
            }
            if isLast ? left == 0 : input.pos == input.size { return }
        }
    }
}

/// Why a frame cannot be written or read.
package enum FrameError: Error, Sendable {
    /// The compressor failed.
    case fault
    /// The bytes are not a zstd frame, or not the one that was written.
    case damaged
}
