import CZstd
package import NodeCore
import SyncState

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Turns messages into sealed segments and back.
///
///     blob = XChaCha20-Poly1305(key, header; compressed)      ; nonce ‖ ciphertext ‖ tag
///     key  = HKDF-Expand(archive key, record name, 32)
///
/// A name may be reused after a rollback; the nonce is random, so it is never repeated.
package final class SegmentCodec {
    let compressor = PayloadCompressor()
    /// For the archive key used last: nearly all segments of a history have the same one.
    private var expander: HKDFExpander?

    package init() {}

    /// Compresses messages of one conversation and day, sorted by order and txid.
    package func draft(
        _ messages: [ChatMessage], name: SegmentName, queueRows: [Int64] = []
    ) throws(SegmentError) -> SegmentDraft {
        let sorted = messages.sorted { ($0.order, $0.txid) < ($1.order, $1.txid) }
        let payload = PayloadWriter.payload(of: sorted)
        let times = sorted.map(\.senderTimestamp)
        let meta = SegmentMeta(
            name: name, startTimestamp: times.min() ?? 0, endTimestamp: times.max() ?? 0,
            messageCount: sorted.count, byteCount: payload.count, payloadVersion: PayloadWriter.version(of: sorted),
            prefixes: sorted.flatMap { $0.txid.bytes.prefix(4) })
        return SegmentDraft(meta: meta, compressed: try compressor.compress(payload), queueRows: queueRows)
    }

    /// Seals a draft and returns the blob.
    package static func seal(
        _ draft: SegmentDraft, header: [UInt8], archiveKey: Secret, random: inout any RandomSource
    ) -> [UInt8] {
        let key = HKDF.expand(archiveKey, info: draft.meta.name.bytes)
        return XChaChaPoly.seal(draft.compressed, associatedData: header, key: key, random: &random)
    }

    /// Opens a segment and passes its payload; `body` must not call this object.
    func open<T>(
        _ sealed: SealedSegment, _ body: (UnsafeRawBufferPointer) throws(SegmentError) -> T
    ) throws(SegmentError) -> T {
        guard sealed.ciphertext.count <= Limits.sealedSegmentBytes else {
            throw .tooLarge(UInt64(sealed.ciphertext.count))
        }
        let compressed = try Self.unseal(sealed, expander(of: sealed.archiveKey).expand(sealed.name.bytes))
        return try compressed.withUnsafeBytesThrowing { (bytes) throws(SegmentError) in
            try compressor.decompress(bytes, body)
        }
    }

    private func expander(of key: Secret) -> HKDFExpander {
        if let expander, expander.key === key { return expander }
        let made = HKDFExpander(key)
        expander = made
        return made
    }

    private static func unseal(_ sealed: SealedSegment, _ key: Secret) throws(SegmentError) -> [UInt8] {
        let opened = sealed.header.withUnsafeBytes { header in
            try? XChaChaPoly.open(sealed.ciphertext, associatedData: header, key: key)
        }
        guard let opened else { throw .notAuthentic }
        return opened
    }

    /// All messages of a segment.
    package func messages(of sealed: SealedSegment) throws(SegmentError) -> [ChatMessage] {
        let name = sealed.name
        return try open(sealed) { (payload) throws(SegmentError) in
            try Self.messages(in: payload, conversationID: name.conversationID)
        }
    }

    static func messages(
        in payload: UnsafeRawBufferPointer, conversationID: String
    ) throws(SegmentError) -> [ChatMessage] {
        var scanner = try PayloadScanner(payload)
        var scanned = ScannedMessage()
        var messages: [ChatMessage] = []
        while try scanner.next(&scanned) {
            messages.append(
                scanned.message(in: payload, contacts: scanner.contacts, conversationID: conversationID))
        }
        return messages
    }
}

extension ScannedMessage {
    /// The message as a value.
    func message(
        in payload: UnsafeRawBufferPointer, contacts: [Range<Int>], conversationID: String
    ) -> ChatMessage {
        let cursor = PayloadCursor(payload)
        var message = ChatMessage(
            txid: TxID(loading: cursor.base + txidStart), conversationID: conversationID,
            contact: cursor.text(contacts[contact]), direction: isReceived ? .received : .sent,
            senderTimestamp: senderTimestamp, blockTime: blockTime, acceptingDaaScore: score, status: status,
            body: cursor.text(body), attachments: PayloadScanner.attachments(in: payload, at: attachments))
        message.senderOrder = senderOrder
        return message
    }
}

/// Compresses and decompresses payloads, reusing contexts and a buffer.
///
///     compressed = version (1 byte, 1) ‖ size of the payload (4 bytes, big-endian) ‖ one zstd frame
///
/// The size is checked against the limit before a byte is decompressed, and bounds the decompressor's output.
final class PayloadCompressor {
    private static let version: UInt8 = 1
    private static let headerBytes = 5

    private let decompressor: OpaquePointer
    /// Created on first use: a node that only receives never compresses.
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

    /// Compresses, and verifies that the result decompresses to the payload.
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
            try decompress(bytes) { plain in
                let isEqual = plain.baseAddress.map { memcmp($0, payload, min(plain.count, payload.count)) == 0 }
                isSame = plain.count == payload.count && isEqual ?? true
            }
        }
        return isSame
    }

    /// Passes the payload, which is valid until the next call. `body` must not call this object.
    func decompress<T>(
        _ compressed: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws(SegmentError) -> T
    ) throws(SegmentError) -> T {
        guard compressed.count > Self.headerBytes else { throw .badCompression }
        guard compressed[0] == Self.version else { throw .unknownVersion(UInt64(compressed[0])) }
        let declared = UInt32(bigEndian: compressed.loadUnaligned(fromByteOffset: 1, as: UInt32.self))
        guard declared <= UInt32(Limits.payloadBytes) else { throw .tooLarge(UInt64(declared)) }
        let size = Int(declared)
        if output.count < size { output = [UInt8](repeating: 0, count: max(size, 16_384)) }
        // Moved out of the object while it is lent, so that accesses cannot overlap.
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
    /// `withUnsafeBytes` with a typed throw, which the standard library's does not propagate.
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
