import NodeCore
import Testing

/// Known values: BLAKE2b and SHA-256 as Python's hashlib gives them, HMAC-SHA512 from RFC 4231, SipHash from its paper.
@Suite struct HashTests {
    @Test func blake2b() throws {
        let abc = Array("abc".utf8)
        #expect(Blake2b.hash32(abc).hex == "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319")
        #expect(Blake2b.hash16(abc).hex == "cf4ab791c62b8d2b2109c90275287816")
        let empty = "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8"
        #expect(Blake2b.hash32([]).hex == empty)
        #expect(Blake2b.hash32().hex == empty)
        #expect(Blake2b.hash32(UnsafeRawBufferPointer(start: nil, count: 0)).hex == empty)
        let key = Secret(bytes: Array(0..<32))
        let keyed = "226900e3d66c0bd7da5f5538dd9e2371e18ec985ee9822588f14831179bc7cce"
        let hello = Array("hello world".utf8)
        #expect(Blake2b.hash32(hello, key: key, domain: "kachat.test").hex == keyed)
        #expect(hello.withUnsafeBytes { Blake2b.hash32($0, key: key, domain: "kachat.test") }.hex == keyed)
        #expect(Blake2b.hash16(hello, domain: "kachat.test.full").hex == "68c662e7bef1c06891975b8ea51af2c1")
        let long = (0..<1_000).map { UInt8($0 % 251) }
        let longHash = "c3159507ea5f870ec11f0b2192472e3eed43ceab71f09c782ffd52c64601eab1"
        let longKey = Secret(bytes: Array(0..<64))
        #expect(Blake2b.hash32(long, key: longKey).hex == longHash)
    }

    @Test func partsAreJoined() {
        let key = Secret(bytes: Array(0..<32))
        let whole = Blake2b.hash32([1, 2, 3, 4, 5], key: key, domain: "d")
        #expect(Blake2b.hash32([1, 2], [], [3, 4, 5], key: key, domain: "d") == whole)
        #expect(Blake2b.hash32([1, 2], [3, 4, 6], key: key, domain: "d") != whole)
        #expect(Blake2b.hash32([1, 2], [3, 4, 5], key: key, domain: "e") != whole)
        #expect(Blake2b.hash32([1, 2], [3, 4, 5], domain: "d") != whole)
        #expect(Blake2b.hash16([1, 2], [3], domain: "d") == Blake2b.hash16([1, 2, 3], domain: "d"))
        #expect(SHA256.hash([1, 2], [3]) == SHA256.hash([1, 2, 3]))
    }

    @Test func sha256() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(SHA256.hash(Array("abc".utf8)).hex == abc)
        #expect(Array("abc".utf8).withUnsafeBytes { SHA256.hash($0) }.hex == abc)
        let slot = Slot(Bytes16(1, 2))
        #expect([UInt8]([7, 8]).withUnsafeBytes { SHA256.hash(slot, $0) } == SHA256.hash(slot.bytes, [7, 8]))
    }

    @Test func hmacSHA512() throws {
        let code = HMACSHA512.authenticate(
            Array("what do ya want ".utf8), Array("for nothing?".utf8), key: Secret(bytes: Array("Jefe".utf8)))
        #expect(
            Hex.encode(code) == "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
                + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737")
    }

    @Test func hmacSHA256Wycheproof() throws {
        struct Group: Decodable {
            let tagSize: Int
            let tests: [Case]
        }
        struct Case: Decodable {
            let tcId: Int
            let key: String
            let msg: String
            let tag: String
            let result: String
        }
        let file = try Wycheproof<Group>.load("hmac_sha256")
        var checked = 0
        for group in file.testGroups {
            for test in group.tests {
                checked += 1
                let code = HMACSHA256.authenticate(try hex(test.msg), key: Secret(bytes: try hex(test.key)))
                let equal = ConstantTime.equals(Array(code.bytes.prefix(group.tagSize / 8)), try hex(test.tag))
                #expect(equal == (test.result == "valid"), "\(test.tcId)")
            }
        }
        #expect(checked == file.numberOfTests)
    }

    @Test func sipHash() throws {
        let key = try #require(Bytes16(bytes: Array(0..<16)))
        #expect(SipHash.hash64([], key: key) == 0x726F_DB47_DD0E_0E31)
        #expect(SipHash.hash64(Array(0..<15), key: key) == 0xA129_CA61_49BE_45E5)
        let tx = TxID(Bytes32(1, 2, 3, 4))
        #expect(SipHash.hash64(tx, key: key) == SipHash.hash64(tx.bytes, key: key))
        #expect(SipHash.hash64(tx, key: .zero) != SipHash.hash64(tx, key: key))
    }

    /// Values of an independent implementation (OpenSSL's, by way of Python's cryptography package).
    @Test func argon2id() throws {
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

    @Test func argon2idBoundsItsParameters() {
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
