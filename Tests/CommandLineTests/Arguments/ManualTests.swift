import Testing

@testable import CommandLine
@testable import Commands
@testable import Node

@Suite struct ManualTests {
    @Test func aSectionForEachCommandAndAnEntryForEachOption() {
        let text = Manual.scdoc(Tool.commands)
        let sections = text.split(separator: "\n").filter { $0.hasPrefix("## ") }
        #expect(sections.map(String.init) == Tool.commands.map { "## kachat-node \($0.name)" })
        let entries = text.split(separator: "\n").count { $0.hasPrefix("*--") }
        let options = Tool.commands.reduce(CommandLineParser.global.count) { $0 + $1.options.count }
        #expect(entries == options)
    }
}
