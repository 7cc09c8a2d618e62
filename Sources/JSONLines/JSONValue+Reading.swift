extension JSONValue {
    /// Bytes of one value where nothing else is said: a line of the control protocol.
    package static let usualBytes = 1 << 20

    /// Reads one value (RFC 8259) of at most `limit` bytes; nil where the bytes are no JSON, are no UTF-8, or nest
    /// deeper than `JSONParser.depthLimit`. Of members with the same name the first counts.
    package init?(json bytes: some Collection<UInt8>, limit: Int = usualBytes) {
        guard bytes.count <= limit else { return nil }
        let value =
            bytes.withContiguousStorageIfAvailable { JSONParser.parse($0) }
            ?? Array(bytes).withUnsafeBufferPointer { JSONParser.parse($0) }
        guard let value else { return nil }
        self = value
    }
}
