/// Looking into encoded JSON without reading all of it.
enum JSONText {
    /// The text of a field of the outermost object, which no nested one has; nil where there is none.
    ///
    /// Inside a text each quote has a backslash before it, so a quoted name behind a comma or a brace, with a colon
    /// behind it, is a name. The value is a token of ours: without escapes.
    package static func field(_ name: String, in json: ArraySlice<UInt8>) -> String? {
        let wanted = Array("\"\(name)\":\"".utf8)
        var start = json.startIndex
        while let quote = json[start...].firstIndex(of: UInt8(ascii: "\"")) {
            start = quote + 1
            guard quote > json.startIndex, [UInt8(ascii: "{"), UInt8(ascii: ",")].contains(json[quote - 1]),
                json[quote...].starts(with: wanted)
            else { continue }
            let value = json[(quote + wanted.count)...]
            guard let end = value.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
            return String(decoding: value[..<end], as: UTF8.self)
        }
        return nil
    }
}
