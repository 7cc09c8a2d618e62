import NodeCore
import Testing

@Suite struct AEADTests {
    private struct Group: Decodable {
        let ivSize: Int
        let tests: [Case]
    }

    private struct Case: Decodable {
        let tcId: Int
        let key: String
        let iv: String
        let aad: String
        let msg: String
        let ct: String
        let tag: String
        let result: String
    }

    @Test func chaChaPolyWycheproof() throws {
        let file = try Wycheproof<Group>.load("chacha20_poly1305")
        var checked = 0
        var skipped = 0
        for test in file.testGroups.flatMap(\.tests) {
            guard let nonce = ChaChaPoly.Nonce(bytes: try hex(test.iv)) else {
                skipped += 1
                continue
            }
            checked += 1
            let key = Secret(bytes: try hex(test.key))
            let aad = try hex(test.aad)
            let sealed = try hex(test.ct) + hex(test.tag)
            let opened = try? ChaChaPoly.open(sealed, associatedData: aad, nonce: nonce, key: key)
            let made = ChaChaPoly.seal(try hex(test.msg), associatedData: aad, nonce: nonce, key: key)
            if test.result == "valid" {
                #expect(opened == (try hex(test.msg)), "\(test.tcId)")
                #expect(made == sealed, "\(test.tcId)")
            } else {
                #expect(opened == nil, "\(test.tcId)")
                #expect(made != sealed, "\(test.tcId)")
            }
        }
        #expect(checked == 316)
        #expect(checked + skipped == file.numberOfTests)
    }

    @Test func xChaChaPolyWycheproof() throws {
        let file = try Wycheproof<Group>.load("xchacha20_poly1305")
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
            let framed = [9] + sealed + [9]
            #expect(try XChaChaPoly.open(framed[1..<framed.count - 1], associatedData: [1, 2], key: key) == plaintext)
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

    @Test func chaChaPolyWorksInPlace() throws {
        let key = Secret(bytes: [UInt8](repeating: 7, count: 32))
        let nonce = ChaChaPoly.Nonce(counter: 0x0102_0304_0506_0708)
        #expect(nonce == ChaChaPoly.Nonce(bytes: [0, 0, 0, 0, 8, 7, 6, 5, 4, 3, 2, 1]))
        let plaintext = [UInt8](0..<100)
        let expected = ChaChaPoly.seal(plaintext, associatedData: [5], nonce: nonce, key: key)
        var buffer = plaintext + [UInt8](repeating: 0, count: 16)
        try buffer.withUnsafeMutableBytes { buffer in
            try [UInt8]([5]).withUnsafeBytes { aad in
                ChaChaPoly.seal(
                    into: buffer, plaintext: UnsafeRawBufferPointer(rebasing: buffer[..<100]), associatedData: aad,
                    nonce: nonce, key: key)
                #expect(Array(buffer) == expected)
                let count = try ChaChaPoly.open(
                    into: buffer, sealed: UnsafeRawBufferPointer(buffer), associatedData: aad, nonce: nonce, key: key)
                #expect(count == 100)
                #expect(Array(buffer[..<100]) == plaintext)
            }
        }
        #expect(throws: CryptoError.tooShort) {
            try ChaChaPoly.open([UInt8](repeating: 0, count: 15), associatedData: [], nonce: nonce, key: key)
        }
        let other = ChaChaPoly.Nonce(counter: 0x0102_0304_0506_0709)
        #expect(throws: CryptoError.authenticationFailed) {
            try ChaChaPoly.open(expected, associatedData: [5], nonce: other, key: key)
        }
        #expect(ChaChaPoly.Nonce(bytes: [UInt8](repeating: 0, count: 11)) == nil)
    }
}
