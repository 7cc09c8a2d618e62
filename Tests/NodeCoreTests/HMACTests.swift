import NodeCore
import Testing

@Suite struct HMACSHA256Tests {
    @Test func wycheproof() throws {
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
}

/// Known value: RFC 4231, test case 2.
@Suite struct HMACSHA512Tests {
    @Test func rfc4231() throws {
        let code = HMACSHA512.authenticate(
            Array("what do ya want ".utf8), Array("for nothing?".utf8), key: Secret(bytes: Array("Jefe".utf8)))
        #expect(
            Hex.encode(code) == "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
                + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737")
    }
}
