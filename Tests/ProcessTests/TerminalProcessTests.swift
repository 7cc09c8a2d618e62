import NodeDriver
import ProcessHarness
import Testing

@testable import Node

extension ProcessTests {
    /// What people see: tables and progress on a terminal, and plain lines in a pipe.
    @Suite struct TerminalViews {
        private static let names = [
            "alice", "電話の友達", "عائشة صديقتي", "👩\u{200D}👩\u{200D}👧 family", "e\u{301}te\u{301}",
            String(repeating: "x", count: 90),
            "evil\u{202E}gnp\u{1B}[31m", String(repeating: "\u{335}", count: 60) + "z",
        ]

        /// A node with a conversation for each name.
        private func filled(_ fixture: Fixture) throws -> DrivenNode {
            let node = try fixture.node("laptop")
            let lines = Self.names.enumerated().map { index, name in
                let txid = String(repeating: "0", count: 62) + "1\(index)"
                let body = String(repeating: "coffee at \(name) ", count: 12)
                return """
                    {"txid": "\(txid)", "conversationId": "c\(index)", "contact": \(quoted(name)), "direction": \
                    "received", "senderTs": 1790000000, "body": \(quoted(body))}
                    """
            }
            try node.run(["import", try fixture.file("history.jsonl", lines)])
            for (index, name) in Self.names.enumerated() {
                try node.run(["conversation", "set", "c\(index)", "--title", name, "--pinned", "on"])
            }
            return node
        }

        private func quoted(_ text: String) -> String {
            "\""
                + text.unicodeScalars.map {
                    $0.value < 0x20 ? "\\u00\($0.value < 16 ? "0" : "")\(String($0.value, radix: 16))" : String($0)
                }
                .joined() + "\""
        }

        private func shown(
            _ node: DrivenNode, _ arguments: [String], columns: UInt16, environment: [String: String] = [:]
        ) throws -> String {
            // The tests may run without colours.
            let colours = ["NO_COLOR": "", "TERM": "xterm"].merging(environment) { $1 }
            let terminal = try SetupTerminal(node, arguments, environment: colours, columns: columns)
            let status = try terminal.end()
            #expect(status == .exited(0), "\(arguments): \(terminal.shown)")
            return terminal.shown
        }

        /// The text without colour sequences.
        private func plain(_ text: String) -> String {
            text.replacing(/\u{1B}\[[0-9;]*m/, with: "")
        }

        @Test(arguments: [40, 60, 80, 200] as [UInt16])
        func noTableIsWiderThanTheTerminal(columns: UInt16) throws {
            let fixture = try Fixture()
            let node = try filled(fixture)
            let commands = [
                ["conversation", "list"], ["message", "list", "c1"], ["message", "search", "coffee"],
                ["device", "list"],
                ["account", "list"], ["config", "list"], ["status"],
            ]
            for command in commands {
                let text = plain(try shown(node, command, columns: columns))
                #expect(!text.isEmpty && !text.contains("\u{1B}") && !text.contains("\u{202E}"), "\(text)")
                for line in text.split(separator: "\n") {
                    #expect(Terminal.width(String(line)) <= Int(columns), "\(command): \(line)")
                }
            }
            let list = plain(try shown(node, ["conversation", "list"], columns: columns))
            #expect(list.contains("CONVERSATION") && list.contains("UNREAD"))
        }

        @Test func aPipeGetsNeitherTitlesNorColours() throws {
            let fixture = try Fixture()
            let node = try filled(fixture)
            let lines = try node.run(["conversation", "list"]).split(separator: "\n")
            #expect(lines.count == Self.names.count && lines.allSatisfy { $0.split(separator: "\t").count == 6 })
            #expect(!lines.joined().contains("\u{1B}") && !lines.joined().contains("CONVERSATION"))
            let title = "\u{1B}[1mCONVERSATION"
            #expect(try shown(node, ["conversation", "list"], columns: 80).contains(title))
            let plain = try shown(node, ["conversation", "list"], columns: 80, environment: ["NO_COLOR": "1"])
            #expect(!plain.contains("\u{1B}") && plain.contains("CONVERSATION"))
        }

        @Test func anEmptyListSaysSo() throws {
            let fixture = try Fixture()
            let node = try fixture.node("laptop")
            #expect(try node.run(["conversation", "list"]).isEmpty)
            #expect(try shown(node, ["conversation", "list"], columns: 80).contains("No conversations yet."))
            // The recommended command is for this home.
            let tokens = try shown(node, ["token", "list"], columns: 200)
            #expect(tokens.contains("`kachat-node --home \(node.home) token create`"), "\(tokens)")
            // A missing conversation is not an empty one.
            let terminal = try SetupTerminal(node, ["message", "list", "nobody"], columns: 80)
            #expect(try terminal.end() == .exited(5))
            #expect(!terminal.shown.contains("No messages"), "\(terminal.shown)")
        }

        @Test func progressIsForTerminalsOnly() throws {
            let fixture = try Fixture()
            let node = try fixture.node("laptop")
            let lines = (0..<300).map { index in
                let digits = String(index)
                let txid = String(repeating: "0", count: 64 - digits.count) + digits
                return """
                    {"txid": "\(txid)", "conversationId": "c", "contact": "c", "direction": "sent", "senderTs": 1, \
                    "body": "b"}
                    """
            }
            let file = try fixture.file("history.jsonl", lines)
            #expect(try shown(node, ["import", file], columns: 80).contains(" %  300 lines"))
            #expect(try node.attempt(["import", file]).errorOutput.isEmpty)
            #expect(try shown(node, ["backup", fixture.folder.file("b")], columns: 80).contains(" %  packed"))
            try node.start()
            let terminal = try SetupTerminal(node, ["sync", "--wait", "--timeout", "1s"], columns: 80)
            try terminal.expect("waiting for a device in reach, ")
            #expect(try terminal.end() == .exited(6))
            // The progress line is cleared before anything else is printed.
            #expect(terminal.shown.contains("left\u{1B}[K\u{1B}[KNo device"), "\(terminal.shown)")
            #expect(try !node.attempt(["sync", "--wait", "--timeout", "1s"]).errorOutput.contains("waiting"))
        }

        @Test func runGreetsPeopleAndTellsWhatHappens() throws {
            let fixture = try Fixture()
            let (laptop, phone) = (try fixture.node("laptop"), try fixture.node("phone"))
            let terminal = try SetupTerminal(laptop, ["run"] + laptop.runArguments, columns: 80)
            defer { terminal.process.killNow() }
            try terminal.expect("laptop is running, with account main.")
            try terminal.expect("No other device of the account is known yet")
            try terminal.expect("Ctrl-C stops the node.")
            try phone.start()
            try terminal.expect("phone is connected.")
            try terminal.expect("Up to date")
            phone.stop()
            try terminal.expect("phone is gone.")
            #expect(!terminal.shown.contains("{") && !terminal.shown.contains("info "), "\(terminal.shown)")
        }

        @Test func anUnknownInterfaceIsNamedWithThoseThatThereAre() throws {
            let fixture = try Fixture()
            let node = try fixture.node("laptop")
            let refused = try node.attempt(["run", "--discovery", "nosuch0"])
            #expect(refused.status == .exited(2) && refused.errorOutput.contains("nosuch0; there are: "))
            // An interface in a setting may come later, such as a VPN's.
            node.runArguments = ["--listen", "127.0.0.1:0", "--api", "127.0.0.1:0"]
            node.environment = ["KACHAT_NETWORK_DISCOVERY": "nosuch0"]
            try node.start()
            try fixture.wait("it is named") { node.log.contains("there is no interface nosuch0; there are: ") }
            #expect(node.log.split(separator: "\n").contains { $0.contains("nosuch0") && $0.contains("lo") })
        }

        @Test func aQRCodeThatDoesNotFitIsNotDrawn() throws {
            let fixture = try Fixture()
            let node = try fixture.node("laptop")
            try node.run(["group", "create", "Family"])
            let narrow = try shown(node, ["group", "invite", "Family"], columns: 40)
            #expect(narrow.contains("needs a terminal of") && narrow.contains("--qr FILE.svg") && !narrow.contains("▀"))
            #expect(try shown(node, ["group", "invite", "Family"], columns: 100).contains("▀"))
        }

        @Test func runOnATerminalPrintsItsLineIfAsked() throws {
            let fixture = try Fixture()
            let node = try fixture.node("laptop")
            let terminal = try SetupTerminal(node, ["run", "--json"] + node.runArguments, columns: 80)
            defer { terminal.process.killNow() }
            try terminal.expect("\"event\":\"ready\"")
        }
    }
}
