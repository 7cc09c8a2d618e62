import NodeCore
import Testing

@Suite struct XChaChaPolyTests {
    @Test func wycheproof() throws {
        let file = try Wycheproof<AEADGroup>.load("xchacha20_poly1305")
        var checked = 0
        var skipped = 0
        for group in file.testGroups {
            for test in group.tests {
                guard group.ivSize == 192 else {
                    skipped += 1
                    continue
                }
                checked += 1
                let key = Secret(bytes: try hex(test.key))
                let aad = try hex(test.aad)
                let sealed = try hex(test.iv) + hex(test.ct) + hex(test.tag)
                let opened = try? XChaChaPoly.open(sealed, associatedData: aad, key: key)
                var nonce = FixedRandom(rest: try hex(test.iv))
                let made = XChaChaPoly.seal(try hex(test.msg), associatedData: aad, key: key, random: &nonce)
                #expect(nonce.rest.isEmpty)
                if test.result == "valid" {
                    #expect(opened == (try hex(test.msg)), "\(test.tcId)")
                    #expect(made == sealed, "\(test.tcId)")
                } else {
                    #expect(opened == nil, "\(test.tcId)")
                    #expect(made != sealed, "\(test.tcId)")
                }
            }
        }
        #expect(checked == 306)
        #expect(checked + skipped == file.numberOfTests)
    }

    @Test func everyWayToOpenAgrees() throws {
        var random: any RandomSource = SeededRandom(seed: 5)
        let key = Secret(random: &random, count: 32)
        for size in [0, 1, 15, 16, 17, 1_024] {
            let plaintext = random.bytes(size)
            let sealed = XChaChaPoly.seal(plaintext, associatedData: [1, 2], key: key, random: &random)
            #expect(sealed.count == size + XChaChaPoly.overheadBytes)
            #expect(try XChaChaPoly.open(sealed, associatedData: [1, 2], key: key) == plaintext)
            let raw = try sealed.withUnsafeBytes { sealed in
                try [UInt8]([1, 2]).withUnsafeBytes { try XChaChaPoly.open(sealed, associatedData: $0, key: key) }
            }
            #expect(raw == plaintext)
            for place in [0, 24, sealed.count - 1] {
                var changed = sealed
                changed[place] ^= 1
                #expect(throws: CryptoError.authenticationFailed) {
                    try XChaChaPoly.open(changed, associatedData: [1, 2], key: key)
                }
            }
            #expect(throws: CryptoError.authenticationFailed) {
                try XChaChaPoly.open(sealed, associatedData: [1, 3], key: key)
            }
            #expect(throws: CryptoError.authenticationFailed) {
                try XChaChaPoly.open(sealed, associatedData: [1, 2], key: Secret(random: &random, count: 32))
            }
            #expect(XChaChaPoly.seal(plaintext, associatedData: [1, 2], key: key, random: &random) != sealed)
        }
        for size in 0..<XChaChaPoly.overheadBytes {
            #expect(throws: CryptoError.tooShort) {
                try XChaChaPoly.open([UInt8](repeating: 0, count: size), associatedData: [], key: key)
            }
        }
    }
}
