import NodeDriver
import ProcessHarness
import Testing

#if canImport(Glibc)
    import Glibc
#endif

extension ProcessTests {
    /// The scripts for shells, the page for man(1), and unknown ids, which end with 5 and change nothing.
    @Suite struct Shell {
        private func script(_ fixture: Fixture, _ shell: String) throws -> String {
            let made = try Command(fixture.binary.path, ["completions", shell]).run()
            try #require(made.status.isSuccess, "\(made.errorOutput)")
            return try fixture.file("kachat-node.\(shell)", [made.output])
        }

        private static func has(_ program: String) -> Bool {
            (try? Command(program, ["--version"]).run())?.status.isSuccess == true
        }

        /// The scripts call the program by its name.
        private func searchPath(_ fixture: Fixture) -> String {
            let folder = fixture.binary.path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            return folder.joined(separator: "/") + ":/usr/bin:/bin"
        }

        /// The completions that bash offers after these words, the last of which is being typed.
        private func bash(_ fixture: Fixture, _ script: String, _ words: [String]) throws -> [String] {
            let program = """
                source "$1"; shift
                COMP_WORDS=(kachat-node "$@"); COMP_CWORD=$#
                _kachat_node; printf '%s\\n' "${COMPREPLY[@]}"
                """
            var command = Command("bash", ["-euc", program, "bash", script] + words)
            command.environment = ["PATH": searchPath(fixture)]
            let result = try command.run()
            try #require(result.status.isSuccess, "\(words): \(result.errorOutput)")
            return result.lines.map(String.init)
        }

        @Test func bashCompletesCommandsOptionsAndValues() throws {
            let fixture = try Fixture()
            let path = try script(fixture, "bash")
            #expect(try bash(fixture, path, ["sta"]) == ["status"])
            #expect(try Set(bash(fixture, path, [""])).isSuperset(of: ["message", "doctor", "bench", "sim"]))
            #expect(try bash(fixture, path, ["message", "de"]) == ["delete", "deleted"])
            #expect(try bash(fixture, path, ["message", "hint", "--conv"]) == ["--conversation"])
            #expect(try bash(fixture, path, ["run", "--log-level", ""]) == ["debug", "info", "warning", "error"])
            #expect(try bash(fixture, path, ["--home", "/tmp", "run", "--log-f"]) == ["--log-format"])
            #expect(try bash(fixture, path, ["config", "set", "archive.a"]) == ["archive.ageSeconds"])
            #expect(try bash(fixture, path, ["leaderboard", "d"]) == ["day"])
            #expect(try bash(fixture, path, ["leaderboard", "--period", "la"]) == ["last-week"])
            #expect(try bash(fixture, path, ["import", fixture.folder.file("kachat-node.b")]) == [path])
            // After a value that only the user knows, nothing is offered.
            #expect(try bash(fixture, path, ["message", "hint", "--conversation", ""]) == [])
        }

        @Test(.enabled(if: has("zsh"), "zsh is not installed"))
        func zshTakesItsScript() throws {
            let fixture = try Fixture()
            let program = "autoload -U compinit && compinit -u -d $2; source $1; (( $+functions[_kachat_node] ))"
            let path = try script(fixture, "zsh")
            let result = try Command("zsh", ["-fc", program, "zsh", path, fixture.folder.file("dump")]).run()
            #expect(result.status == .exited(0), "\(result.errorOutput)")
            #expect(result.errorOutput.isEmpty, "\(result.errorOutput)")
        }

        /// Packages install it like this: the first Tab after the program's name loads it, and already completes.
        @Test(.enabled(if: has("zsh"), "zsh is not installed"))
        func zshLoadsItAtTheFirstTab() throws {
            let fixture = try Fixture()
            let made = try Command(fixture.binary.path, ["completions", "zsh"]).run().output
            try FileTree.write(Array(made.utf8), to: fixture.folder.file("_kachat-node"))
            let program = """
                zmodload zsh/zpty && zpty typed env TERM=dumb zsh -f -i || exit 2
                zpty -w typed "fpath=($1 \\$fpath); autoload -U compinit && compinit -u -d $1/dump; echo rea''dy"
                zpty -r typed shown '*ready*' || exit 3
                zpty -w -n typed $'kachat-node conf\\t'
                zpty -r typed shown '*kachat-node config*' || exit 4
                """
            var command = Command("zsh", ["-fc", program, "zsh", fixture.folder.path])
            command.environment = ["PATH": searchPath(fixture)]
            let result = try command.run()
            #expect(result.status == .exited(0), "\(result.errorOutput)")
        }

        @Test(.enabled(if: has("fish"), "fish is not installed"))
        func fishCompletesFromItsScript() throws {
            let fixture = try Fixture()
            let path = try script(fixture, "fish")
            func complete(_ words: String) throws -> [String] {
                var command = Command("fish", ["-N", "-c", "source $argv[1]; complete -C $argv[2]", path, words])
                command.environment = ["HOME": fixture.folder.path, "PATH": searchPath(fixture)]
                let result = try command.run()
                try #require(result.status.isSuccess, "\(result.errorOutput)")
                return result.lines.map { String($0.prefix { $0 != "\t" }) }
            }
            #expect(try complete("kachat-node sta") == ["status"])
            #expect(try complete("kachat-node message de") == ["delete", "deleted"])
            #expect(try complete("kachat-node run --log-level d") == ["debug"])
            #expect(try complete("kachat-node message hint --conv") == ["--conversation"])
            #expect(try complete("kachat-node init --phrase-file \(fixture.folder.file("kachat-node.f"))") == [path])
        }

        @Test(.enabled(if: canRunScdoc, "scdoc is not installed"))
        func scdocReadsTheManualPage() throws {
            let fixture = try Fixture()
            let page = try Command(fixture.binary.path, ["help", "--man"]).run().output
            let roff = try Command("scdoc").run(input: page)
            #expect(roff.status == .exited(0), "\(roff.errorOutput)")
            #expect(roff.output.contains("kachat"))
        }

        /// It has no option that only prints its version.
        private static let canRunScdoc = (try? Command("scdoc").run(input: "a(1)\n\n# NAME\n")) != nil

        private struct Digest: Decodable {
            struct Account: Decodable {
                var zoneDigest: String
                var queued: Int
            }
            var accounts: [Account]
        }

        @Test(arguments: [false, true]) func idsThatNobodyHasEndWithNotFound(isRunning: Bool) throws {
            let fixture = try Fixture()
            let one = try fixture.node("one")
            try one.run(["group", "create", "Family"])
            if isRunning { try one.start() }
            let before = try one.object(Digest.self, ["status"]).accounts[0]
            let txid = String(repeating: "5a", count: 32)
            for words in [
                ["account", "show", "--account", "nobody"], ["account", "default", "nobody"],
                ["account", "remove", "nobody", "--yes"], ["message", "show", txid],
                ["message", "delete", txid, "--yes"],
                ["conversation", "show", "nobody"], ["read", "mark", "nobody"], ["device", "forget", "00000000"],
                ["token", "revoke", "00000000"], ["group", "show", "nobody"],
                ["group", "remove", "Family", "nobody", "--yes"],
                ["group", "revoke-invite", "Family", "00000000"], ["group", "delete", "nobody", "--yes"],
                ["score", "post", "nobody", "--game", "Wordle", "--score", "3"], ["leaderboard", "nobody"],
            ] {
                let result = try one.attempt(words)
                #expect(result.status == .exited(5), "\(words): \(result.status) \(result.errorOutput)")
                #expect(!result.errorOutput.contains("Fatal error"))
            }
            for words in [
                ["score", "post", "Family", "--game", "none", "--score", "3"], ["group", "create", "a\u{1}b"],
                ["conversation", "set", "alice", "--checkpoint", "0g"], ["config", "set", "api.port", "65536"],
                ["changes", "--since", "rubbish!"], ["group", "rename", "Family", String(repeating: "x", count: 81)],
            ] {
                let result = try one.attempt(words)
                #expect(result.status == .exited(2), "\(words): \(result.status) \(result.errorOutput)")
            }
            let after = try one.object(Digest.self, ["status"]).accounts[0]
            #expect(before.zoneDigest == after.zoneDigest && before.queued == after.queued)
        }

        @Test func quietSaysNothingButData() throws {
            let fixture = try Fixture()
            let one = try fixture.node("one")
            let chat = try fixture.file("chat", Talk(10).lines)
            let result = try one.attempt(["import", chat, "--quiet"])
            #expect(result.status == .exited(0) && result.output.isEmpty && result.errorOutput.isEmpty)
            #expect(try one.run(["conversation", "list", "--quiet"]).isEmpty == false)
            let failed = try one.attempt(["conversation", "show", "nobody", "--quiet"])
            #expect(failed.status == .exited(5) && !failed.errorOutput.isEmpty)
            // Progress is for terminals, or for JSON on request.
            #expect(try one.attempt(["import", chat]).errorOutput.isEmpty)
        }
    }
}
