import Testing

@testable import NodeRuntime

@Suite struct JSONValueTests {
    @Test func wholeNumbersSurviveExactly() throws {
        for text in ["9223372036854775807", "-9223372036854775808", "9223372036854775808", "18446744073709551615", "0"]
        {
            let value = try #require(JSONValue(json: Array(text.utf8)))
            #expect(String(decoding: value.encoded, as: UTF8.self) == text)
        }
    }

    @Test func keysAreSortedAndTextIsEscaped() throws {
        let value = JSONValue.object([
            "b": .string("q\"\\\n\u{1}\u{1F}é🦊"), "a": .array([.null, .bool(true), .double(1.5), .number(-3)]),
        ])
        let encoded = value.encoded
        #expect(
            String(decoding: encoded, as: UTF8.self)
                == #"{"a":[null,true,1.5,-3],"b":"q\"\\\n\u0001\u001fé🦊"}"#)
        #expect(JSONValue(json: encoded) == value)
    }

    @Test func whatIsNoJSONIsNil() {
        for bad in ["", "{", "nul", "{\"a\":}", "\u{0}", "{} {}", String(repeating: "[", count: 100_000)] {
            #expect(JSONValue(json: Array(bad.utf8)) == nil)
        }
        #expect(JSONValue(json: [0xFF, 0xFE]) == nil)
    }
}
