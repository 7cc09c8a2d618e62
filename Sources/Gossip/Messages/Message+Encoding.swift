import NodeCore
import SyncState

/// Encoding messages: the type, then a CBOR sequence. Records follow as they are, since they are self-delimiting; a
/// blob is the rest of the message.
extension Message {
    package var encoded: [UInt8] {
        var writer = CBORWriter(capacity: capacity)
        writer.bytes.append(type.rawValue)
        switch self {
        case .hello(let hello):
            hello.body.write(to: &writer)
            writer.write(bytes: hello.deviceSignature)
            writer.write(bytes: hello.proof)
        case .foreignHello(let versions): Hello.Body.write(versions, to: &writer)
        case .vector(let scope, let entries):
            writer.write(scope.rawValue)
            for entry in entries { Self.write(entry, &writer) }
        case .pull(let lane, let since, let pages):
            writer.write(lane)
            writer.write(since)
            writer.write(pages)
        case .page(let lane, let through, let target, let isDone, let rows):
            writer.write(lane)
            writer.write(through)
            writer.write(target)
            writer.write(isDone)
            for row in rows { writer.raw(row) }
        case .peek(let lane, let count):
            writer.write(lane)
            writer.write(count)
        case .rows(let rows): for row in rows { writer.raw(row) }
        case .have(let since, let record, let blob):
            writer.write(since)
            writer.raw(record)
            writer.bytes += blob
        case .ranges(let lane, let ranges):
            writer.write(lane)
            for range in ranges { Self.write(range, &writer) }
        case .keys(let lane, let low, let high, let keys):
            writer.write(lane)
            writer.write(low)
            writer.write(high)
            Self.write(keys, &writer)
        case .fetch(let lane, let keys):
            writer.write(lane)
            Self.write(keys, &writer)
        case .want(let blobClass, let groups):
            writer.write(blobClass.rawValue)
            for group in groups { Self.write(group, &writer) }
        case .missing(let blobClass): writer.write(blobClass.rawValue)
        case .blob(_, let bytes): writer.bytes += bytes
        case .blobPart(let blobClass, let totalBytes, let offset, let bytes):
            writer.write(blobClass.rawValue)
            writer.write(totalBytes)
            writer.write(offset)
            writer.raw(bytes)
        case .busy(let milliseconds): writer.write(milliseconds)
        case .bye(let reason): writer.write(reason.rawValue)
        case .ping: break
        case .pong(let wall): if let wall { writer.write(wall) }
        case .find(let txids): for txid in txids { writer.write(txid) }
        case .found(let record, let blob):
            writer.raw(record)
            writer.bytes += blob
        case .who: break
        case .vouch(let bytes), .dismiss(let bytes): writer.raw(bytes)
        case .names(let isLast, let names):
            writer.write(isLast)
            for name in names { writer.write(name) }
        case .ledger(let isLast, let records):
            writer.write(isLast)
            for record in records { writer.raw(record) }
        }
        return writer.bytes
    }

    private var type: MessageType {
        switch self {
        case .hello, .foreignHello: .hello
        case .vector: .vector
        case .pull: .pull
        case .page: .page
        case .peek: .peek
        case .rows: .rows
        case .have: .have
        case .ranges: .ranges
        case .keys: .keys
        case .fetch: .fetch
        case .want: .want
        case .missing: .missing
        case .blob(.recent, _): .recentBlob
        case .blob(.backfill, _): .backfillBlob
        case .blobPart: .blobPart
        case .busy: .busy
        case .bye: .bye
        case .ping: .ping
        case .pong: .pong
        case .find: .find
        case .found: .found
        case .who: .who
        case .vouch: .vouch
        case .dismiss: .dismiss
        case .names: .names
        case .ledger: .ledger
        }
    }

    /// The initial capacity for large messages, so that they are not copied as they grow.
    private var capacity: Int {
        switch self {
        case .page(_, _, _, _, let rows), .rows(let rows): rows.reduce(64) { $0 + $1.count }
        case .blob(_, let bytes): bytes.count + 1
        case .found(let record, let blob), .have(_, let record, let blob): record.count + blob.count + 16
        case .blobPart(_, _, _, let bytes): bytes.count + 16
        case .find(let txids): 34 * txids.count + 1
        case .names(_, let names): 17 * names.count + 2
        default: 64
        }
    }

    private static func write(_ entry: VectorEntry, _ writer: inout CBORWriter) {
        writer.write(entry.lane)
        writer.write(entry.head)
        writer.write(entry.target)
        writer.write(entry.fingerprint)
    }

    private static func write(_ range: RangeSum, _ writer: inout CBORWriter) {
        writer.write(range.low)
        writer.write(range.high)
        if let fingerprint = range.fingerprint { writer.write(fingerprint) } else { writer.writeNull() }
        writer.write(range.count)
    }

    private static func write(_ keys: [KeyName], _ writer: inout CBORWriter) {
        for key in keys {
            writer.write(key.seq)
            writer.write(key.hash)
        }
    }

    private static func write(_ group: WantGroup, _ writer: inout CBORWriter) {
        writer.write(group.lane)
        writer.writeArray(group.blobs.count)
        // Differences to the previous seq, most of which fit a byte.
        var last: UInt64?
        var prefixes = ByteWriter(capacity: 4 * group.blobs.count)
        for blob in group.blobs {
            writer.write(last.map { $0 - blob.seq } ?? blob.seq)
            last = blob.seq
            prefixes.write(u32: blob.hashPrefix)
        }
        writer.write(bytes: prefixes.bytes)
    }
}
