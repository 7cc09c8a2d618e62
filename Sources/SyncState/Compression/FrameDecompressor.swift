import CZstd

/// Reads one zstd frame (RFC 8878) piece by piece. It holds at most a window of 8 MiB and a piece of 128 KiB in memory,
/// whatever the frame claims.
package final class FrameDecompressor {
    private static let windowBits: Int32 = 23

    private let context: OpaquePointer
    private var input: [UInt8] = []
    private var position = 0
    /// The frame's last byte was read.
    package private(set) var isAtEnd = false

    package init() {
        guard let context = ZSTD_createDCtx() else {
            preconditionFailure("invariant: there is memory for a decompressor")
        }
        self.context = context
        ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, Self.windowBits)
    }

    deinit { ZSTD_freeDCtx(context) }

    /// Input bytes not read yet. After the frame's end, there must be none.
    package var unread: Int { input.count - position }

    /// Supplies more bytes of the frame, once `next` has returned nothing.
    package func feed(_ bytes: [UInt8]) {
        input.removeFirst(position)
        input += bytes
        position = 0
    }

    /// The next piece of the content; empty if more input is needed, or at the end.
    package func next() throws(FrameError) -> [UInt8] {
        guard !isAtEnd else { return [] }
        var (left, used) = (0, 0)
        let piece = [UInt8](unsafeUninitializedCapacity: ZSTD_DStreamOutSize()) { buffer, count in
            input.withUnsafeBytes { bytes in
                var source = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: position)
                var target = ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
                left = ZSTD_decompressStream(context, &target, &source)
                used = source.pos
                count = ZSTD_isError(left) == 0 ? target.pos : 0
            }
        }
        guard ZSTD_isError(left) == 0 else { throw .damaged }
        position = used
        isAtEnd = left == 0
        return piece
    }
}
