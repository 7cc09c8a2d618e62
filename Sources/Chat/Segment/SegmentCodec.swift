package import NodeCore

/// Turns messages into sealed segments and back.
///
///     blob = XChaCha20-Poly1305(key, header; compressed)      ; nonce ‖ ciphertext ‖ tag
///     key  = HKDF-Expand(archive key, record name, 32)
///
/// A name may recur after a roll-back; the nonce is random, so that it never does.
package final class SegmentCodec {
    let compressor = PayloadCompressor()
    /// Of the archive key that was used last: of a history, nearly all segments have the same.
    private var expander: HKDFExpander?

    package init() {}

    /// The compressed payload of messages of one conversation and day, by order and txid.
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

    /// Seals a draft; the result is the blob.
    package static func seal(
        _ draft: SegmentDraft, header: [UInt8], archiveKey: Secret, random: inout any RandomSource
    ) -> [UInt8] {
        let key = HKDF.expand(archiveKey, info: draft.meta.name.bytes)
        return XChaChaPoly.seal(draft.compressed, associatedData: header, key: key, random: &random)
    }

    /// Opens a segment and lends its payload; `body` must not call this object.
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
