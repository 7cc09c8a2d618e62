extension ChaChaPoly {
    /// The 12 bytes that must never be used twice under one key.
    package struct Nonce: Hashable, Sendable {
        // As they stand on the wire: four bytes, then eight, each in memory order.
        private let head: UInt32
        private let tail: UInt64

        /// Noise's nonce (revision 34, §12.1): four zero bytes and the counter, least significant byte first.
        package init(counter: UInt64) {
            head = 0
            tail = counter.littleEndian
        }

        /// A nonce of exactly 12 bytes; nil for any other number.
        package init?(bytes: [UInt8]) {
            guard bytes.count == 12 else { return nil }
            head = bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
            tail = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 4, as: UInt64.self) }
        }

        @inline(__always)
        func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
            let half = UInt32(truncatingIfNeeded: UInt64(littleEndian: tail))
            let rest = UInt32(truncatingIfNeeded: UInt64(littleEndian: tail) >> 32)
            // Three words without padding between them.
            return Swift.withUnsafeBytes(of: (head, half.littleEndian, rest.littleEndian), body)
        }
    }
}
