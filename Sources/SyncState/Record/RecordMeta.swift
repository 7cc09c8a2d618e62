package import NodeCore

/// The opened meta of a record: `[type, tag, fields]`.
///
/// The fields are a byte string with their own CBOR, so that types unknown to this version are carried without being
/// understood. The slot is the keyed hash of the name given by the fields, and of the tag.
package struct RecordMeta: Sendable {
    /// The type of the fields, numbered by the kind of zone.
    package let type: UInt64
    /// Random if each record or each writer needs its own slot; otherwise zero.
    package let tag: Bytes16
    package let fields: [UInt8]

    package init(number: UInt64, tag: Bytes16 = .zero, fields: [UInt8]) {
        type = number
        self.tag = tag
        self.fields = fields
    }

    package var encoded: [UInt8] {
        var writer = CBORWriter(capacity: fields.count + 24)
        writer.writeArray(3)
        writer.write(type)
        if tag == .zero { writer.write(bytes: []) } else { writer.write(tag) }
        writer.write(bytes: fields)
        return writer.bytes
    }

    package init(encoded: [UInt8]) throws(CBORError) {
        var reader = try CBORReader(encoded, array: 3)
        type = try reader.readUInt()
        let at = reader.position
        let tagged = try reader.readBytes(max: Bytes16.byteCount)
        if tagged.isEmpty {
            tag = .zero
        } else {
            guard let read = Bytes16(bytes: tagged), read != .zero else { throw .wrongSize(at: at) }
            tag = read
        }
        fields = try reader.readBytes(max: Limits.recordSizeBytes)
        try reader.finish()
    }
}

/// The content of an opened record. Each kind of zone has its own types.
package protocol RecordContent: Sendable {
    /// How early to fetch the record's blob (`WantedBlob.priority`).
    var priority: Int64 { get }
    /// Number of messages in the record's blob, as the record states it.
    var messages: Int { get }
    /// The time of the newest of these messages, in seconds since 1970; 0 if there are none.
    var newestMessage: Int64 { get }
}

extension RecordContent {
    package var priority: Int64 { 0 }
    package var messages: Int { 0 }
    package var newestMessage: Int64 { 0 }
}

/// A record type that this version does not know: kept, forwarded and counted.
package struct UnknownContent: RecordContent {
    package init() {}
}
