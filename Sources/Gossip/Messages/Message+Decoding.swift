package import NodeCore
import SyncState

/// Decoding messages of peers. Anything but the canonical form is refused; no memory is allocated based on a count
/// alone.
extension Message {
    package init(decoding bytes: [UInt8]) throws(CBORError) {
        guard let first = bytes.first, let type = MessageType(rawValue: first) else { throw .unexpectedType(at: 0) }
        var reader = CBORReader(bytes, range: 1..<bytes.count)
        switch type {
        case .recentBlob: self = .blob(.recent, bytes[1...])
        case .backfillBlob: self = .blob(.backfill, bytes[1...])
        case .vouch: self = .vouch(Array(bytes[1...]))
        case .dismiss: self = .dismiss(Array(bytes[1...]))
        case .blobPart:
            let blobClass: BlobClass = try Self.readRaw(&reader)
            let (total, offset) = (try reader.readUInt(), try reader.readUInt())
            self = .blobPart(blobClass, totalBytes: total, offset: offset, Array(bytes[reader.position...]))
        case .have:
            let (since, record) = (try reader.readUInt(), reader.copy(try reader.skip()))
            self = .have(since: since, record: record, blob: bytes[reader.position...])
        case .found:
            let record = reader.copy(try reader.skip())
            self = .found(record: record, blob: bytes[reader.position...])
        default:
            self = try Self.read(type, &reader)
            // The rest of another version's HELLO is unknown.
            if case .foreignHello = self { return }
            try reader.finish()
        }
    }

    private static func read(_ type: MessageType, _ reader: inout CBORReader) throws(CBORError) -> Message {
        switch type {
        case .hello: try readHello(&reader)
        case .vector:
            .vector(
                scope: try readRaw(&reader),
                entries: try readAll(&reader) { r throws(CBORError) in
                    try readEntry(&r)
                })
        case .pull:
            .pull(lane: try reader.read(LaneID.self), since: try reader.readUInt(), pages: try reader.readUInt())
        case .page:
            .page(
                lane: try reader.read(LaneID.self), through: try reader.readUInt(), target: try reader.readUInt(),
                isDone: try reader.readBool(), rows: try readRows(&reader))
        case .peek: .peek(lane: try reader.read(LaneID.self), count: try reader.readUInt())
        case .rows: .rows(try readRows(&reader))
        case .ranges:
            .ranges(
                lane: try reader.read(LaneID.self),
                try readAll(&reader) { r throws(CBORError) in
                    RangeSum(
                        low: try r.readUInt(), high: try r.readUInt(),
                        fingerprint: try r.readNullIfPresent() ? nil : try r.read(Fingerprint.self),
                        count: try r.readUInt())
                })
        case .keys:
            .keys(
                lane: try reader.read(LaneID.self), low: try reader.readUInt(), high: try reader.readUInt(),
                try readKeys(&reader))
        case .fetch: .fetch(lane: try reader.read(LaneID.self), try readKeys(&reader))
        case .want:
            .want(try readRaw(&reader), try readAll(&reader) { r throws(CBORError) in try readGroup(&r) })
        case .missing: .missing(try readRaw(&reader))
        case .busy: .busy(retryAfterMilliseconds: try reader.readUInt())
        case .bye: .bye(try readRaw(&reader))
        case .ping: .ping
        case .pong: .pong(wallMilliseconds: reader.remaining > 0 ? try reader.readUInt() : nil)
        case .find: .find(try readAll(&reader) { r throws(CBORError) in try r.read(TxID.self) })
        case .who: .who
        case .names:
            .names(
                isLast: try reader.readBool(), try readAll(&reader) { r throws(CBORError) in try r.read(Bytes16.self) })
        case .ledger: .ledger(isLast: try reader.readBool(), try readRows(&reader))
        case .recentBlob, .backfillBlob, .blobPart, .have, .found, .vouch, .dismiss: throw .unexpectedType(at: 0)
        }
    }

    private static func readRaw<Value: RawRepresentable>(
        _ reader: inout CBORReader
    ) throws(CBORError) -> Value where Value.RawValue == UInt64 {
        let at = reader.position
        guard let value = Value(rawValue: try reader.readUInt()) else { throw .outOfRange(at: at) }
        return value
    }

    private static func readAll<Item>(
        _ reader: inout CBORReader, _ read: (inout CBORReader) throws(CBORError) -> Item
    ) throws(CBORError) -> [Item] {
        var items: [Item] = []
        while reader.remaining > 0 { items.append(try read(&reader)) }
        return items
    }

    private static func readRows(_ reader: inout CBORReader) throws(CBORError) -> [[UInt8]] {
        var rows: [[UInt8]] = []
        while reader.remaining > 0 {
            guard rows.count < SyncState.Limits.pageRows else { throw .outOfRange(at: reader.position) }
            rows.append(reader.copy(try reader.skip()))
        }
        return rows
    }

    private static func readKeys(_ reader: inout CBORReader) throws(CBORError) -> [KeyName] {
        try readAll(&reader) { r throws(CBORError) in
            KeyName(seq: try r.readUInt(), hash: try r.read(Bytes16.self))
        }
    }

    private static func readHello(_ reader: inout CBORReader) throws(CBORError) -> Message {
        let versions = try Hello.Body.readVersions(&reader)
        guard versions.contains(where: Limits.protocolVersions.contains) else {
            return .foreignHello(versions: versions)
        }
        return .hello(
            Hello(
                body: try Hello.Body(versions: versions, from: &reader),
                deviceSignature: try reader.readBytes(max: Ed25519.signatureBytes),
                proof: try reader.readBytes(max: Limits.proofBytes)))
    }

    private static func readEntry(_ reader: inout CBORReader) throws(CBORError) -> VectorEntry {
        let lane = try reader.read(LaneID.self)
        let (head, target) = (try reader.readUInt(), try reader.readUInt())
        return VectorEntry(lane: lane, head: head, target: target, fingerprint: try reader.read(Fingerprint.self))
    }

    private static func readGroup(_ reader: inout CBORReader) throws(CBORError) -> WantGroup {
        let lane = try reader.read(LaneID.self)
        let at = reader.position
        // Each blob takes at least 5 bytes of the message, so the remaining bytes bound the count.
        let count = try reader.readArray(max: reader.remaining)
        var seqs: [UInt64] = []
        for _ in 0..<count {
            let number = try reader.readUInt()
            guard let last = seqs.last else {
                seqs.append(number)
                continue
            }
            guard number <= last else { throw .outOfRange(at: at) }
            seqs.append(last - number)
        }
        let prefixes = try reader.readBytes(max: 4 * count)
        guard prefixes.count == 4 * count else { throw .wrongSize(at: at) }
        let blobs = seqs.indices.map { index in
            BlobName(
                seq: seqs[index],
                hashPrefix: prefixes[4 * index..<4 * index + 4].reduce(0) { $0 << 8 | UInt32($1) })
        }
        return WantGroup(lane: lane, blobs: blobs)
    }
}
