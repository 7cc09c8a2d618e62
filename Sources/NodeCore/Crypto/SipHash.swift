import CSodium

/// SipHash-2-4: a fast keyed 64-bit hash for tables that others must not be able to fill with collisions.
///
/// It is not a MAC: do not use it where forgery matters. The key has 16 bytes.
package enum SipHash {
    package static func hash64(_ bytes: UnsafeRawBufferPointer, key: Bytes16) -> UInt64 {
        Sodium.start()
        var output: UInt64 = 0
        withUnsafeMutableBytes(of: &output) { output in
            key.withUnsafeBytes { key in
                _ = crypto_shorthash_siphash24(output.start, bytes.start, UInt64(bytes.count), key.start)
            }
        }
        return UInt64(littleEndian: output)
    }

    package static func hash64(_ bytes: [UInt8], key: Bytes16) -> UInt64 {
        bytes.withUnsafeBytes { hash64($0, key: key) }
    }
}
