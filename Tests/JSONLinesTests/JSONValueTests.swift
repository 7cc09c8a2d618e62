import JSONLines
import Testing

@Suite struct JSONValueTests {
    @Test func wholeNumbersSurviveExactly() throws {
        for text in ["9223372036854775807", "-9223372036854775808", "0"] {
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

    @Test(arguments: [
        ("1.0", JSONValue.int(1)), ("1e3", .int(1000)), ("-0", .int(0)), ("-12.5E-1", .double(-1.25)),
        ("9223372036854775808", .double(0x1p63)), ("18446744073709551616", .double(0x1p64)),
        ("1e300", .double(1e300)), (" \n\r\t[ ] ", .array([])),
        (#""\u00e9\ud83e\udd8a\/\b\f""#, .string("é🦊/\u{8}\u{C}")), (#"{"a":1,"a":2}"#, .object(["a": .int(1)])),
        ("[null,true,false]", .array([.null, .bool(true), .bool(false)])),
    ])
    func valuesAreRead(text: String, value: JSONValue) {
        #expect(JSONValue(json: Array(text.utf8)) == value)
        #expect(JSONValue(json: Array(text.utf8)[...].lazy.map { $0 }) == value)
    }

    @Test(arguments: [
        "", "{", "nul", "{\"a\":}", "\u{0}", "{} {}", "01", "-", "1.", ".5", "1e", "+1", "1e999", "[1,]", "{,}",
        "{\"a\" 1}", "{1:2}", "\"a\nb\"", #""\x""#, #""\u12g4""#, #""\ud800""#, #""\ud800\u0041""#, #""\udc00""#, "\"",
        "NaN", "[1 2]", "'a'", "tru", "\u{FEFF}1",
    ])
    func whatIsNoJSONIsNil(text: String) {
        #expect(JSONValue(json: Array(text.utf8)) == nil)
    }

    @Test func depthSizeAndBytesHaveTheirBounds() {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        #expect(JSONValue(json: nested(128)) != nil)
        #expect(JSONValue(json: nested(129)) == nil)
        #expect(JSONValue(json: [UInt8](repeating: UInt8(ascii: "["), count: 100_000)) == nil)
        #expect(JSONValue(json: [0xFF, 0xFE]) == nil)
        #expect(JSONValue(json: Array("\"".utf8) + [0xC3, 0x28] + Array("\"".utf8)) == nil)
        #expect(JSONValue(json: Array("[1]".utf8), limit: 2) == nil)
    }
}
