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
