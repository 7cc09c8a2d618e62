import Testing

@testable import Node

@Suite struct NodeSettingsTests {
    private func parse(_ text: String) throws(SettingsError) -> NodeSettings {
        try NodeSettings(json: Array(text.utf8))
    }

    @Test func whatIsNotSetIsAsItIsNormally() throws {
        let settings = try parse("{}")
        #expect(settings.archiveMessages == 25)
        #expect(settings.archiveBytes == 131_072)
        #expect(settings.archiveAge == .seconds(300))
        #expect(settings.readQuiet == .seconds(15))
        #expect(settings.placeholderText == "📤 Sent via another device")
    }

    @Test func theFileComesBackAsItWasWritten() throws {
        var settings = NodeSettings()
        #expect(String(decoding: settings.encoded, as: UTF8.self) == "{}\n")
        settings.set(.archiveAge, .int(60))
        settings.set(.placeholderText, .string("„gesendet\" \\"))
        let text = String(decoding: settings.encoded, as: UTF8.self)
        #expect(try parse(text) == settings)
        #expect(text.split(separator: "\n").count == 4)
    }

    @Test(arguments: SettingKey.allCases)
    func boundsAreKept(_ key: SettingKey) {
        #expect(key.standard == .null || key.allows(key.standard))
        #expect(!key.bounds.isEmpty)
        switch key.value {
        case .number(let range, _):
            for good in [range.lowerBound, range.upperBound] { #expect(key.read("\(good)") == .number(good)) }
            for bad in ["\(range.lowerBound - 1)", "\(range.upperBound + 1)", "x", "", "1.5"] {
                #expect(key.read(bad) == nil)
            }
        case .text(let bytes, _):
            #expect(key.read(String(repeating: "a", count: bytes)) != nil)
            for bad in ["", "a\nb", String(repeating: "a", count: bytes + 1)] { #expect(key.read(bad) == nil) }
        case .option:
            for bad in ["", "a b", "?"] { #expect(key.read(bad) == nil) }
        }
    }

    @Test func theEnvironmentCountsBeforeTheFile() throws {
        #expect(SettingKey.archiveAge.variable == "KACHAT_ARCHIVE_AGE_SECONDS")
        #expect(SettingKey.apiPort.variable == "KACHAT_API_PORT")
        var settings = try parse("{\"archive.ageSeconds\": 60, \"api.port\": 1}")
        try settings.take(Environment(["KACHAT_ARCHIVE_AGE_SECONDS": "7", "KACHAT_NETWORK_PEERS": "a:1,b:2"]))
        #expect(settings.archiveAge == .seconds(7))
        #expect(settings.peers == ["a:1", "b:2"])
        #expect(settings.source(.archiveAge) == "environment")
        #expect(settings.source(.apiPort) == "file")
        #expect(settings.source(.readQuiet) == "default")
        // The file stays unchanged.
        #expect(!String(decoding: settings.encoded, as: UTF8.self).contains("network.peers"))
    }

    @Test func aVariableOutOfBoundsIsNamed() {
        var settings = NodeSettings()
        #expect(throws: NodeError.self) { try settings.take(Environment(["KACHAT_API_PORT": "65536"])) }
        #expect(throws: NodeError.self) { try settings.take(Environment(["KACHAT_LOG_LEVEL": "loud"])) }
        #expect(settings == NodeSettings())
    }

    @Test(arguments: [
        ("", 1, 1, "ends too early"), ("[1]", 1, 1, "one JSON object"),
        ("{\n  \"archive.messages\": 26\n}", 2, 23, "`archive.messages` must be a whole number from 1 to 25"),
        ("{\n  \"archive.mesages\": 2\n}", 2, 3, "(did you mean `archive.messages`?)"),
        ("{\"archive.messages\": 2,\n \"archive.messages\": 3}", 2, 2, "is set twice"),
        ("{\"placeholder.text\": \"📤 weg\" 7}", 1, 30, "unexpected `7`"),
        ("{\"read.quietSeconds\" 7}", 1, 22, "unexpected `7`"),
        ("{\"read.quietSeconds\": sieben}", 1, 23, "unexpected `s`"),
        ("{\"read.quietSeconds\": [7]}", 1, 23, "`read.quietSeconds` must be a whole number"),
        ("{\"placeholder.text\": \"offen\n}", 1, 28, "the line ends too early"),
        ("{\"read.quietSeconds\": 7,}", 1, 25, "unexpected `}`"),
        ("{}\n\n x", 3, 2, "unexpected `x`"),
    ])
    func whatIsWrongIsNamedWithItsPlace(_ text: String, _ line: Int, _ column: Int, _ reason: String) {
        let error = #expect(throws: SettingsError.self) { try parse(text) }
        #expect(error?.place == JSONPlace(line: line, column: column))
        #expect(error?.reason.contains(reason) == true)
    }

    @Test func noBytesAtAllMakeItTrap() {
        let whole = Array("{\"archive.messages\": 2, \"placeholder.text\": \"\\u00e4 \\\"x\\\" 📤\"}".utf8)
        for count in 0..<whole.count {
            #expect(throws: SettingsError.self) { try NodeSettings(json: Array(whole[..<count])) }
            var changed = whole
            changed[count] ^= 0x80
            _ = try? NodeSettings(json: changed)
        }
    }
}
