import NodeCore
import Testing

@Suite struct HKDFTests {
    @Test func rfc5869() throws {
        let text = String(decoding: try VectorFile.data("hkdf/rfc-5869-HKDF-SHA256.txt"), as: UTF8.self)
        var fields: [String: String] = [:]
        var cases = 0
        for line in text.split(separator: "\n") where line.contains("=") {
            let parts = line.split(separator: "=", omittingEmptySubsequences: false)
            let name = String(parts[0].filter { $0 != " " })
            fields[name] = String(parts[1].filter { $0 != " " })
            guard name == "OKM" else { continue }
            cases += 1
            let prk = HKDF.extract(
                salt: try hex(try #require(fields["salt"])), inputKey: try secret(try #require(fields["IKM"])))
            let expected = try secret(try #require(fields["PRK"]))
            #expect(ConstantTime.equals(prk, expected))
            let count = try #require(fields["L"].flatMap(Int.init))
            let okm = HKDF.expand(prk, info: try hex(try #require(fields["info"])), count: count)
            #expect(okm.withUnsafeBytes { Hex.encode($0) } == fields["OKM"])
            fields = [:]
        }
        #expect(cases == 3)
    }

    @Test func wycheproof() throws {
        struct Group: Decodable {
            let tests: [Case]
        }
        struct Case: Decodable {
            let tcId: Int
            let ikm: String
            let salt: String
            let info: String
            let size: Int
            let okm: String
            let result: String
        }
        let file = try Wycheproof<Group>.load("hkdf_sha256")
        var checked = 0
        var skipped = 0
        for test in file.testGroups.flatMap(\.tests) {
            guard test.size <= Limits.hkdfOutputBytes else {
                // Longer than the algorithm allows: a broken invariant in our API, so it cannot be asked for.
                #expect(test.result == "invalid")
                skipped += 1
                continue
            }
            checked += 1
            let prk = HKDF.extract(salt: try hex(test.salt), inputKey: try secret(test.ikm))
            let okm = HKDF.expand(prk, info: try hex(test.info), count: test.size)
            #expect((okm.withUnsafeBytes { Hex.encode($0) } == test.okm) == (test.result == "valid"), "\(test.tcId)")
        }
        #expect(checked + skipped == file.numberOfTests)
        #expect(skipped == 3)
    }

    @Test func secretSaltIsTheSame() throws {
        let key = try secret("0102")
        let prk = HKDF.extract(salt: try hex("aabb"), inputKey: key)
        #expect(ConstantTime.equals(prk, HKDF.extract(salt: try secret("aabb"), inputKey: key)))
        #expect(!ConstantTime.equals(prk, HKDF.extract(salt: try secret("aabc"), inputKey: key)))
        #expect(HKDF.expand(prk, info: []).count == 32)
        #expect(HKDF.expand(prk, info: [], count: 0).count == 0)
        #expect(HKDF.extract(salt: key, inputKey: Secret(bytes: [])).count == 32)
    }

    private func secret(_ text: String) throws -> Secret { Secret(bytes: try hex(text)) }
}
