import Testing

@testable import KaChatClient

@Suite struct CallTests {
    @Test func whatUsersWriteCannotLeaveItsPlace() {
        let call = Call(.get, "groups", "A/B ?&#é\n").query("game", "x&y=z").query("limit", 3).query("all", false)
        #expect(
            call.request(account: "a b").target
                == "/v1/groups/A%2FB%20%3F%26%23%C3%A9%0A?game=x%26y%3Dz&limit=3&account=a%20b")
        #expect(Call(.get, "status", ofAccount: false).request(account: "a").target == "/v1/status")
    }

    @Test func whatWouldBeDoneTwiceHasAKeyOfItsOwn() {
        let call = Call(.post, "flush")
        let keys = (0..<2).map { _ in call.request(account: nil).headers.first { $0.name == "Idempotency-Key" }?.value }
        #expect(keys[0] != nil && keys[0] != keys[1])
        #expect(call.request(account: nil).body == Array("{}".utf8))
        #expect(Call(.get, "status").request(account: nil).body == nil)
        let fields = Call(.patch, "x").field("a", "t").field("b", Int?.none).field("c", true).field("d", 3)
        #expect(fields.request(account: nil).body == Array(#"{"a":"t","c":true,"d":3}"#.utf8))
    }
}
