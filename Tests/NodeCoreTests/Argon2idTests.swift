import NodeCore
import Testing

@Suite struct Argon2idTests {
    /// Values of an independent implementation (OpenSSL's, by way of Python's cryptography package).
    @Test func knownValues() throws {
        let passphrase = Array("correct horse".utf8)
        let salt = [UInt8](0..<16)
        let short = try Argon2id.derive(passphrase: passphrase, salt: salt, opsLimit: 2, memLimitBytes: 65_536)
        #expect(
            short.withUnsafeBytes { Hex.encode($0) }
                == "9c87c06898bc18516669b54a8b95d36e622946494d7a55c26f391a0406068c19")
        let long = try Argon2id.derive(
            passphrase: passphrase, salt: salt, opsLimit: 3, memLimitBytes: 1_048_576, count: 64)
        #expect(
            long.withUnsafeBytes { Hex.encode($0) }
                == "f19bd62875cab5f3f42baf1e839ffe0e5e05bfac9df6dff9e610aa5eb939832c"
                + "836c8aa344792b93accb9bffac27966f57beb16057f9bae3d6eead4a802405ff")
        let empty = try Argon2id.derive(passphrase: [], salt: salt, opsLimit: 1, memLimitBytes: 8_192)
        #expect(empty.count == 32)
    }

    @Test func parametersAreBounded() {
        let salt = [UInt8](0..<16)
        let wrong: [(salt: [UInt8], ops: UInt64, memory: Int, count: Int)] = [
            (Array(salt.dropLast()), 2, 65_536, 32), (salt + [0], 2, 65_536, 32), (salt, 0, 65_536, 32),
            (salt, 17, 65_536, 32), (salt, .max, 65_536, 32), (salt, 2, 8_191, 32), (salt, 2, 1_073_741_825, 32),
            (salt, 2, -1, 32), (salt, 2, .max, 32), (salt, 2, 65_536, 15), (salt, 2, 65_536, 65),
        ]
        for (salt, ops, memory, count) in wrong {
            #expect(throws: CryptoError.parameterOutOfBounds) {
                try Argon2id.derive(passphrase: [1], salt: salt, opsLimit: ops, memLimitBytes: memory, count: count)
            }
        }
    }
}
