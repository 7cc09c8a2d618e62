import NodeDriver
import ProcessHarness
import Testing

#if canImport(Glibc)
    import Glibc
#endif

extension ProcessTests {
    /// The first run, with flags and at a terminal.
    @Suite struct Setup {
        struct Made: Decodable { var phrase: String }
        struct Done: Decodable {
            var state: String
            var name: String
            var startsAtLogin: Bool
        }
        struct Listed: Decodable { var accountId: String }
        struct Named: Decodable { var name: String }

        private func empty(_ fixture: Fixture, _ name: String) -> DrivenNode {
            fixture.adopt(name, home: fixture.folder.file(name))
        }

        @Test func flagsDoWhereThereIsNoTerminal() throws {
            let fixture = try Fixture()
            let node = empty(fixture, "laptop")
            #expect(try node.attempt(["setup"]).status == .exited(2))
            #expect(try node.attempt(["setup", "--account", "old"]).status == .exited(2))
            #expect(try node.attempt(["setup", "--account", "phrase"]).status == .exited(2))
            #expect(!FileTree.exists(node.home))
            let lines = try node.run(["setup", "--account", "new", "--name", "laptop", "--json"]).split(separator: "\n")
            #expect(lines.count == 2 && lines[0].contains("\"phrase\"") && !lines[1].contains("phrase"))
            #expect(lines[1].contains("\"startsAtLogin\":false"))
            let again = try node.attempt(["setup", "--account", "new"])
            #expect(again.status == .exited(1) && again.errorOutput.contains("already set up"))
            try node.savePhrase(to: fixture.phraseFile)

            let other = empty(fixture, "tablet")
            try other.run(["setup", "--account", "phrase", "--phrase-file", fixture.phraseFile])
            let ids = try [node, other].map { try $0.objects(Listed.self, ["account", "list"]).map(\.accountId) }
            #expect(ids[0] == ids[1] && ids[0].count == 1)
        }

        @Test func atATerminalItAsksThreeQuestions() throws {
            let fixture = try Fixture()
            let node = empty(fixture, "laptop")
            let terminal = try SetupTerminal(node, ["setup"], environment: ["PATH": "/nowhere"])
            try terminal.expect("have an account?")
            terminal.type("7")
            try terminal.expect("from 1 to 3")
            terminal.type("1")
            try terminal.expect("this device called?")
            terminal.type(String(repeating: "x", count: 129))
            try terminal.expect("at most 128 bytes")
            terminal.type("my laptop")
            try terminal.expect("not available")
            try terminal.expect("24 words")
            try terminal.expect("two of the words")
            // The user postpones it.
            terminal.type("")
            try terminal.expect("account confirm")
            try terminal.expect("kachat-node setup")
            #expect(try terminal.end() == .exited(0))
            #expect(try node.object(Named.self, ["status"]).name == "my laptop")
            // The words were shown on the terminal once.
            try node.savePhrase(to: fixture.phraseFile)
            let words = String(decoding: FileTree.read(fixture.phraseFile) ?? [], as: UTF8.self).split(separator: " ")
            #expect(words.count == 24)
            // The number is included, since a word may occur twice in the phrase, and also in a question.
            let numbered = terminal.shown.split(separator: "\n").filter { $0.contains("  1 \(words[0]) ") }
            #expect(numbered.count == 1)
        }

        @Test func aPhraseIsAskedForAtATerminal() throws {
            let fixture = try Fixture()
            let words = try fixture.node("laptop").run(["account", "phrase"])
            let node = empty(fixture, "phone")
            let terminal = try SetupTerminal(node, ["init", "--phrase-file", "-"])
            try terminal.expect("Type the recovery phrase")
            terminal.type(String(words.prefix { !$0.isNewline }))
            terminal.type("\u{4}")
            try terminal.expect("device  ")
            #expect(try terminal.end() == .exited(0))
        }

        /// Neither the phrase nor a key is displayed, and later typing is shown as before.
        @Test func whatIsSecretIsNotShown() throws {
            let fixture = try Fixture()
            let phrase = try fixture.node("laptop").run(["account", "phrase"]).filter { !$0.isNewline }
            let word = String(phrase.prefix { $0 != " " })
            let phone = empty(fixture, "phone")
            let setup = try SetupTerminal(phone, ["setup", "--account", "phrase", "--name", "phone"])
            try setup.expect("not shown:")
            // One word is missing; the complaint does not repeat the typed words.
            setup.type(String(phrase.dropFirst(word.count + 1)))
            try setup.expect("Try again:")
            setup.type(phrase)
            try setup.expect("kachat-node setup")
            #expect(try setup.end() == .exited(0))

            let key = String(repeating: "7f", count: 32)
            let tablet = empty(fixture, "tablet")
            let made = try SetupTerminal(tablet, ["init", "--phrase-file", "-"])
            let wallet = try SetupTerminal(phone, ["account", "import", "--wallet-key", "-"])
            for (terminal, typed) in [(made, phrase), (wallet, key)] {
                try terminal.expect("not shown")
                terminal.type(typed)
                terminal.type("\u{4}")
                #expect(try terminal.end() == .exited(0))
            }
            for terminal in [setup, made, wallet] {
                #expect(!terminal.shown.contains(String(phrase.suffix(20))) && !terminal.shown.contains(key))
                #expect(terminal.isEchoing)
            }
        }

        /// A user who interrupts it gets the terminal back as it was.
        @Test(arguments: [SIGINT, SIGTERM])
        func aCommandThatIsKilledLeavesNoBlindTerminal(number: Int32) throws {
            let fixture = try Fixture()
            let terminal = try SetupTerminal(empty(fixture, "phone"), ["init", "--phrase-file", "-"])
            try terminal.expect("not shown")
            try fixture.wait("the terminal is blind") { !terminal.isEchoing }
            terminal.process.signal(number)
            #expect(try terminal.end() == .killed(signal: number))
            #expect(terminal.isEchoing)
        }

        /// Nobody types the words for a nonexistent device, and a question is no error.
        @Test func nothingIsAskedInVain() throws {
            let fixture = try Fixture()
            let node = try fixture.node("laptop")
            let removal = try SetupTerminal(node, ["device", "remove", "nobody"])
            try removal.expect("there is no device `nobody`")
            #expect(try removal.end() == .exited(5))
            #expect(!removal.shown.contains("recovery phrase"), "\(removal.shown)")
            let account = try SetupTerminal(node, ["account", "remove", "main"])
            try account.expect("Remove it? Type `yes`: ")
            account.type("no")
            try account.expect("nothing removed")
            #expect(try account.end() == .exited(2))
            #expect(!account.shown.contains("nothing is removed yet"), "\(account.shown)")
        }

        /// If the terminal goes away while pairing, there is no home yet; the user starts again.
        @Test func aSetupThatHangsUpLeavesNoIdentity() throws {
            let fixture = try Fixture()
            let phone = empty(fixture, "phone")
            let terminal = try SetupTerminal(
                phone, ["setup", "--name", "phone", "--start-at-login", "no"] + PairingSide.onLoopback)
            try terminal.expect("have an account?")
            terminal.type("2")
            try terminal.expect("can see this one")
            #expect(FileTree.exists(phone.home + "/identity"))
            terminal.process.signal(SIGHUP)
            #expect(try terminal.end() != .exited(0))
            #expect(!FileTree.exists(phone.home + "/identity"))
        }

        @Test func twoTerminalsCompareDigits() throws {
            let fixture = try Fixture()
            let laptop = try fixture.node("laptop")
            try laptop.start()
            let phone = empty(fixture, "phone")
            let giver = try SetupTerminal(laptop, ["account", "pair"])
            try giver.expect("can see this one")
            let taker = try SetupTerminal(
                phone, ["setup", "--name", "phone", "--start-at-login", "no"] + PairingSide.onLoopback)
            try taker.expect("have an account?")
            taker.type("2")
            for terminal in [giver, taker] { try terminal.expect("show the same digits?") }
            let digits = [giver, taker].map { terminal in
                terminal.shown.split(whereSeparator: \.isNewline).last { line in
                    line.hasPrefix("    ") && line.contains(where: \.isNumber)
                }
            }
            #expect(digits[0] == digits[1] && digits[0] != nil)
            // It is neither yes nor no, so the question is repeated.
            giver.type("maybe")
            try giver.expect("show the same digits?")
            giver.type("yes")
            try giver.expect("to agree")
            taker.type("yes")
            try giver.expect("now has the account")
            try taker.expect("account pair")
            #expect(try giver.end() == .exited(0))
            #expect(try taker.end() == .exited(0))
            #expect(try phone.objects(Listed.self, ["account", "list"]).count == 1)
        }

        /// Runs the setup with a `systemctl` that records its arguments.
        private func setUp(_ fixture: Fixture, home: String) throws -> CommandResult {
            let tools = fixture.folder.file("tools")
            mkdir(tools, 0o700)
            let script = "#!/bin/sh\necho \"$@\" >> \(fixture.folder.file("calls"))\n"
            try FileTree.write(Array(script.utf8), to: tools + "/systemctl")
            chmod(tools + "/systemctl", 0o700)
            var command = fixture.binary.command(
                home: home, ["setup", "--account", "new", "--start-at-login", "yes", "--json"])
            command.environment["PATH"] = tools + ":/usr/bin:/bin"
            command.environment["HOME"] = fixture.folder.file("user")
            return try command.run(input: nil)
        }

        /// The account exists nevertheless, and the message says what does not.
        @Test func aHomeThatNoUnitCanNameIsSetUp() throws {
            let fixture = try Fixture()
            let result = try setUp(fixture, home: fixture.folder.file("my home"))
            #expect(result.status == .exited(0))
            #expect(result.output.contains("\"startsAtLogin\":false"))
            #expect(result.errorOutput.contains("start at login: a unit cannot name the home"))
        }

        @Test func itStartsAtLogin() throws {
            let fixture = try Fixture()
            let node = empty(fixture, "laptop")
            let calls = fixture.folder.file("calls")
            let result = try setUp(fixture, home: node.home)
            #expect(result.status == .exited(0))
            #expect(result.output.contains("\"startsAtLogin\":true"))
            let lines = String(decoding: FileTree.read(calls) ?? [], as: UTF8.self).split(separator: "\n")
            #expect(
                lines == [
                    "--user cat kachat-node.service", "--user daemon-reload",
                    "--user enable --now kachat-node.service",
                ])
            let named = fixture.folder.file("user/.config/systemd/user/kachat-node.service.d/home.conf")
            #expect(String(decoding: FileTree.read(named) ?? [], as: UTF8.self).contains("KACHAT_HOME=\(node.home)\n"))
            // The unit serves the usual home again once that is set up.
            let usual = fixture.folder.file("user/.local/share/kachat-node")
            #expect(try setUp(fixture, home: usual).status == .exited(0))
            #expect(!FileTree.exists(named))
        }
    }
}
