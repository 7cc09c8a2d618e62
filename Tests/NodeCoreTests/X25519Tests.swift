import NodeCore
import Testing

@Suite struct X25519Tests {
    @Test func wycheproof() throws {
        struct Group: Decodable {
            let tests: [Case]
        }
        struct Case: Decodable {
            let tcId: Int
            let flags: [String]
            let `public`: String
            let `private`: String
            let shared: String
            let result: String
        }
        let file = try Wycheproof<Group>.load("x25519")
        var refused = 0
        for test in file.testGroups.flatMap(\.tests) {
            let pair = X25519.KeyPair(secret: Secret(bytes: try hex(test.private)))
            let other = try #require(Bytes32(hex: test.public))
            if test.flags.contains("ZeroSharedSecret") {
                refused += 1
                #expect(throws: CryptoError.weakKey, "\(test.tcId)") { try pair.agree(with: other) }
            } else {
                let shared = try pair.agree(with: other)
                #expect(shared.withUnsafeBytes { Hex.encode($0) } == test.shared, "\(test.tcId)")
            }
        }
        #expect(refused == 31)
        #expect(file.testGroups.flatMap(\.tests).count == file.numberOfTests)
    }

    @Test func bothSidesAgree() throws {
        var random = SeededRandom(seed: 6)
        let alice = X25519.KeyPair(secret: Secret(random: &random, count: 32))
        let bob = X25519.KeyPair(secret: Secret(random: &random, count: 32))
        #expect(alice.publicKey != bob.publicKey)
        let shared = try alice.agree(with: bob.publicKey)
        #expect(ConstantTime.equals(shared, try bob.agree(with: alice.publicKey)))
    }
}
