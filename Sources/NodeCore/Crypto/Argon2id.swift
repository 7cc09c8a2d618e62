import CSodium

/// Argon2id (RFC 9106) with one lane: turns a passphrase into a key, slowly on purpose.
package enum Argon2id {
    package static let saltBytes = 16

    /// A key of `count` bytes (16 to 64).
    ///
    /// - Throws: `parameterOutOfBounds` if the parameters, which come from a file, are beyond `Limits`, or the salt
    ///   has not 16 bytes; `outOfMemory` if the system does not give `memLimitBytes`.
    package static func derive(
        passphrase: [UInt8], salt: [UInt8], opsLimit: UInt64, memLimitBytes: Int, count: Int = 32
    ) throws(CryptoError) -> Secret {
        guard salt.count == saltBytes, (16...64).contains(count), Limits.argon2OpsLimit.contains(opsLimit),
            Limits.argon2MemoryBytes.contains(memLimitBytes)
        else { throw .parameterOutOfBounds }
        Sodium.start()
        var failed: Int32 = 0
        let key = Secret(count: count) { output in
            passphrase.withUnsafeBytes { passphrase in
                failed = passphrase.withMemoryRebound(to: CChar.self) { passphrase in
                    withUnsafePointer(to: CChar(0)) { empty in
                        crypto_pwhash_argon2id(
                            output.start, UInt64(count), passphrase.baseAddress ?? empty,
                            UInt64(passphrase.count), salt, opsLimit, memLimitBytes,
                            crypto_pwhash_argon2id_ALG_ARGON2ID13)
                    }
                }
            }
        }
        guard failed == 0 else { throw .outOfMemory }
        return key
    }
}
