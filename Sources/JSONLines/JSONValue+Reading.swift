extension JSONValue {
    /// Default size limit of one value in bytes, such as a line of the control protocol.
    package static let usualBytes = 1 << 20

    /// Reads one value (RFC 8259) of at most `limit` bytes. Nil if the bytes are not JSON or not UTF-8, or nest deeper
    /// than `JSONParser.depthLimit`. If an object repeats a name, its first member counts.
    package init?(json bytes: some Collection<UInt8>, limit: Int = usualBytes) {
        guard bytes.count <= limit else { return nil }
        let value =
            bytes.withContiguousStorageIfAvailable { JSONParser.parse($0) }
            ?? Array(bytes).withUnsafeBufferPointer { JSONParser.parse($0) }
        guard let value else { return nil }
        self = value
    }
}
