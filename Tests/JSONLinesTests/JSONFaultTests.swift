import Testing

@testable import JSONLines

@Suite struct JSONFaultTests {
    @Test(
        arguments: [
            ("{\"a\" \"b\"}", "unexpected `\"` at column 6"), ("[1,\n 2,,3]", "unexpected `,` at line 2, column 4"),
            ("{\"a\": 1", "it ends too early, at column 8"), ("", "it ends too early, at column 1"),
            ("{\"ä\": tru}", "unexpected `}` at column 10"), ("{} x", "unexpected `x` at column 4"),
            ("{\"a\": \"電\n\"}", "the line ends too early, at column 9"), ("{'a': 1}", "unexpected `'` at column 2"),
        ])
    func itSaysWhere(text: String, sentence: String) {
        #expect(JSONFault(text.utf8)?.sentence == sentence)
    }

    @Test(arguments: ["{}", " [1, {\"a\": null}] ", "\"x\"", "12"])
    func jsonHasNone(text: String) {
        #expect(JSONFault(text.utf8) == nil)
    }
}
