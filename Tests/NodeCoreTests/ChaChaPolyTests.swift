import NodeCore
import Testing

@Suite struct ChaChaPolyTests {
    @Test func wycheproof() throws {
        let file = try Wycheproof<AEADGroup>.load("chacha20_poly1305")
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

    @Test func worksInPlace() throws {
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
