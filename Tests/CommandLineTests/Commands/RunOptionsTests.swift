import Commands
import Testing

@testable import CommandLine
@testable import Node

@Suite struct RunOptionsTests {
    /// A flag overrides the environment, which overrides the file, which overrides the default.
    @Test func runGoesByFlagsFirst() throws {
        let parser = CommandLineParser(commands: Tool.commands)
        var settings = try NodeSettings(
            json: Array("{\"network.discovery\": \"off\", \"log.level\": \"warning\"}".utf8))
        func options(_ arguments: String...) throws -> RunOptions {
            try RunOptions(try parser.parse(["run"] + arguments), settings)
        }
        #expect(try options().discovery == .off)
        #expect(try options("--discovery", "lo").discovery == .loopback)
        // A typed interface must exist; a setting may name one that appears later.
        #expect { try options("--discovery", "nosuch0") } throws: {
            "\($0)".contains("there is no interface nosuch0; there are: ") && "\($0)".contains("lo")
        }
        #expect(try options().level == .warning)
        try settings.take(Environment(["KACHAT_NETWORK_DISCOVERY": "eth7", "KACHAT_NETWORK_PEERS": "a:1"]))
        #expect(try options().discovery == .named(["eth7"]))
        #expect(try options().peers == ["a:1"])
        settings = try NodeSettings(json: Array("{}".utf8))
        #expect(try options().level == nil && options("--log-level", "debug").level == .debug)
        #expect(try options("--peer", "b:2").peers == ["b:2"])
        #expect(try options().format == .text)
    }
}
