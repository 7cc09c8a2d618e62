import Testing

@testable import JSONLines

@Suite struct JSONFaultTests {
    @Test(
        arguments: [
            ("{\"a\" \"b\"}", "unexpected `\"` at column 6"), ("[1,\n 2,,3]", "unexpected `,` at line 2, column 4"),
            ("{\"a\": 1", "it ends too early, at column 8"), ("", "it ends too early, at column 1"),
            ("{\"ä\": tru}", "unexpected `}` at column 10"), ("{} x", "unexpected `x` at column 4"),
            ("{\"a\": \"電\n\"}", "the line ends too early, at column 9"), ("{'a': 1}", "unexpected `'` at column 2"),
            ("{\"a\":1,}", "unexpected `}` at column 8"), ("\"\\ud800\"", "unexpected `\"` at column 8"),
        ])
    func itSaysWhere(text: String, sentence: String) {
        #expect(JSONFault(text.utf8)?.sentence == sentence)
    }

    @Test func whatIsNoTextIsSaidToBe() {
        let bytes = Array("{\"ä\":\"".utf8) + [0xC3, 0x22, 0x7D]
        #expect(JSONFault(bytes)?.sentence == "bytes that are not UTF-8 at column 7")
        #expect(JSONFault([0xFF])?.sentence == "bytes that are not UTF-8 at column 1")
        #expect(JSONFault(Array("{]".utf8) + [0xFF])?.sentence == "unexpected `]` at column 2")
    }

    @Test(arguments: ["{}", " [1, {\"a\": null}] ", "\"x\"", "12"])
    func jsonHasNone(text: String) {
        #expect(JSONFault(text.utf8) == nil)
    }
}
