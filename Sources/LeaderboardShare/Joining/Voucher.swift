import NodeCore

/// Control records as shown to somebody who does not hold them: each with its list of names, unless that is inline.
///
///     vouchers = * [ control: bstr, names: bstr ]
enum Voucher {
    static func write(_ records: [ControlRecord], to writer: inout CBORWriter) {
        for record in records {
            writer.writeArray(2)
            writer.write(bytes: record.encoded)
            writer.write(bytes: record.externalNames ?? [])
        }
    }

    static func encode(_ records: [ControlRecord]) -> [UInt8] {
        var writer = CBORWriter(capacity: 512 * records.count)
        write(records, to: &writer)
        return writer.bytes
    }

    /// Reads and verifies all remaining records. Each is authentic; the caller must check its group.
    static func read(_ reader: inout CBORReader) throws -> [ControlRecord] {
        var records: [ControlRecord] = []
        while reader.remaining > 0 {
            guard records.count < Limits.vouchers, try reader.readArray(max: 2) == 2 else {
                throw ControlError.malformed
            }
            let encoded = try reader.readBytes(max: Limits.controlRecordBytes)
            let names = try reader.readBytes(max: Limits.voucherBytes)
            records.append(try ControlRecord(encoded: encoded, names: names.isEmpty ? nil : names))
        }
        return records
    }

    static func decode(_ encoded: [UInt8]) throws -> [ControlRecord] {
        guard encoded.count <= Limits.joinMessageBytes else { throw ControlError.tooLong }
        var reader = CBORReader(encoded)
        return try read(&reader)
    }
}
