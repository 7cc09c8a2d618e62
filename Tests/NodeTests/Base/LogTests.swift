import Glibc
import NodeCore
import ProcessHarness
import Testing

@testable import Node

@Suite struct LogTests {
    /// The lines that a log writes to a file.
    private func lines(
        _ least: Log.Level, _ format: Log.Format = .text, isJournal: Bool = false, _ body: (Log) -> Void
    ) throws -> [String] {
        let folder = try TemporaryFolder()
        let path = folder.path + "/log"
        let file = try FileDescriptor(path: path, flags: O_RDWR | O_CREAT)
        body(Log(output: Output(descriptor: file.number), least: least, format: format, isJournal: isJournal))
        return try Files.readText(path, limit: 1 << 16).split(separator: "\n").map(String.init)
    }

    @Test func tellsWhatIsAtLeastThatGrave() throws {
        func all(_ log: Log) {
            for level in Log.Level.allCases { log.line(level, "code", "text") }
        }
        #expect(try lines(.debug) { all($0) } == ["debug", "info", "warning", "error"].map { "\($0) code: text" })
        #expect(try lines(.error) { all($0) } == ["error code: text"])
    }

    @Test func aLineIsOneLine() throws {
        let text = try lines(.info) { $0.line(.info, "code", "a\nb\u{1B}[2J") }
        #expect(text == ["info code: a b\u{FFFD}[2J"])
    }

    @Test func asJSONEachLineIsAnObject() throws {
        let line = try #require(try lines(.info, .json) { $0.line(.warning, "peer", "a\n\"b\"") }.first)
        let value = try #require(JSONValue(json: line.utf8))
        #expect(value["level"]?.text == "warning")
        #expect(value["code"]?.text == "peer")
        #expect(value["text"]?.text == "a\n\"b\"")
        #expect((value["at"]?.integer ?? 0) > 1_500_000_000_000)
    }

    @Test func theJournalHearsPriorities() throws {
        let told = try lines(.debug, isJournal: true) { log in
            for level in Log.Level.allCases { log.line(level, "c", "t") }
        }
        #expect(told == ["<7>debug c: t", "<6>info c: t", "<4>warning c: t", "<3>error c: t"])
    }

    @Test func onlyTheStreamThatSystemdNamesIsTheJournal() throws {
        let folder = try TemporaryFolder()
        let file = try FileDescriptor(path: folder.path + "/log", flags: O_RDWR | O_CREAT)
        let status = try file.status()
        let output = Output(descriptor: file.number)
        #expect(output.isJournal(Environment(["JOURNAL_STREAM": "\(status.st_dev):\(status.st_ino)"])))
        #expect(!output.isJournal(Environment(["JOURNAL_STREAM": "\(status.st_dev):\(status.st_ino + 1)"])))
        #expect(!output.isJournal(Environment(["JOURNAL_STREAM": "nonsense"])))
        #expect(!output.isJournal(Environment([:])))
    }
}
