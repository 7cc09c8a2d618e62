import Testing

@testable import Commands
@testable import Node

@Suite struct JSONTextTests {
    @Test(arguments: [
        "plain", "\",\"token\":\"x", "{\"token\":\"x\"}", "\\", "\\\"", ",", "\"token\":\"", "token", "ä\n",
    ])
    func aNameInsideATextIsNotTakenForOne(_ text: String) {
        let json = JSONValue.object(["a": .string(text), "token": .string("right"), "z": .string(text)]).encoded
        #expect(JSONText.field("token", in: json[...]) == "right")
        let without = JSONValue.object(["a": .string(text), "token2": .string("no")]).encoded
        #expect(JSONText.field("token", in: without[...]) == nil)
        #expect(JSONText.field("token", in: JSONValue.object(["token": .string("only")]).encoded[...]) == "only")
    }
}
