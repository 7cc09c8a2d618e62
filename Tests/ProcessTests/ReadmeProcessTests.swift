import NodeDriver
import ProcessHarness
import Testing

#if canImport(Glibc)
    import Glibc
#endif

extension ProcessTests {
    /// The README's commands work as pasted, one section after another, in each shell.
    @Suite struct Readme {
        private static let root =
            #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")

        /// How each shell reads pasted text. An interactive zsh knows no comments. Without its own terminal it cannot
        /// stop this process's.
        private static let shells = [
            "bash": ["bash", "--norc", "-e", "-s"], "dash": ["dash", "-e", "-s"],
            "zsh": ["setsid", "-w", "zsh", "-f", "-i", "-e", "-s"],
        ]

        /// The page of commands matches the program's own help, and each of its links leads somewhere.
        @Test func thePageOfTheCommandsIsMade() throws {
            let page = String(
                decoding: try #require(FileTree.read(Self.root + "/docs/COMMANDS.md")), as: UTF8.self)
            let binary = try #require(NodeBinary.besideThisProgram())
            let made = try Command(binary.path, ["help", "--reference"]).run(within: .seconds(60)).output
            #expect(page == made, "`kachat-node help --reference > docs/COMMANDS.md` makes it anew")
            for link in made.split(separator: "](#").dropFirst() {
                let target = link.prefix { $0 != ")" }
                #expect(made.contains("<a id=\"\(target)\"></a>"), "\(target)")
            }
        }

        private static func has(_ program: String) -> Bool {
            (try? Command("sh", ["-c", "command -v \"$0\"", program]).run())?.status.isSuccess == true
        }

        /// The lines between ```` ```sh ```` and ```` ``` ````.
        private func blocks() throws -> [[String]] {
            let text = String(decoding: try #require(FileTree.read(Self.root + "/README.md")), as: UTF8.self)
            var blocks: [[String]] = []
            var isInside = false
            for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
                if line == "```sh" {
                    isInside = true
                    blocks.append([])
                } else if line.hasPrefix("```") {
                    isInside = false
                } else if isInside {
                    blocks[blocks.count - 1].append(line)
                }
            }
            return blocks
        }

        @Test func nothingInThemStopsAPaste() throws {
            for line in try blocks().flatMap({ $0 }) {
                #expect(!line.hasPrefix("#") && !line.contains(" #"), "zsh takes a comment for words: \(line)")
                #expect(!line.contains("…") && !line.contains("/tmp/"), "not to be pasted: \(line)")
                for program in ["jq", "zstd", "notify-send"] {
                    #expect(!line.contains(program), "nothing installs \(program): \(line)")
                }
            }
        }

        @Test(
            .enabled(if: has("bash") && has("dash") && has("zsh"), "bash, dash or zsh is not installed"),
            arguments: ["bash", "dash", "zsh"]
        )
        func theyWorkAsPasted(shell: String) throws {
            let fixture = try Fixture()
            // The test neither builds nor installs; the program is in PATH.
            let tried = try blocks().filter { block in !block.contains { $0.contains("sudo ") } }
                .map { $0.filter { !$0.hasPrefix("make ") } }.filter { !$0.joined().isEmpty }
            #expect(tried.count == 4)
            let home = fixture.folder.file("user")
            mkdir(home, 0o700)
            var lines = tried.flatMap { $0 }
            let end = try #require(lines.firstIndex { $0.hasPrefix("kill ") })
            lines.insert(contentsOf: ["ls -l ~/kachat-try > ~/listing", "pwd > ~/place"], at: end)
            // No node is left behind if it stops early.
            lines.insert("trap 'kill $one $two $friend 2>/dev/null || :' EXIT", at: 0)
            let words = try #require(Self.shells[shell])
            var command = Command(words[0], Array(words.dropFirst()))
            let folder = fixture.binary.path.dropLast("/kachat-node".count)
            let path = try Command("sh", ["-c", "printf %s \"$PATH\""]).run().output
            command.environment = [
                "HOME": home, "PATH": "\(folder):\(path)", "KACHAT_HOME": nil, "XDG_DATA_HOME": nil, "ZDOTDIR": home,
            ]
            let result = try command.run(
                input: lines.joined(separator: "\n") + "\necho pasted to the end\n", within: .seconds(240))
            #expect(result.status == .exited(0), "\(result.output)\n\(result.errorOutput)")
            #expect(result.output.contains("pasted to the end"), "\(result.errorOutput)")
            for sign in ["1 line: 1 new", "hello", "Joined Family", "Ben"] {
                #expect(result.output.contains(sign), "\(sign): \(result.output)\n\(result.errorOutput)")
            }
            // A user who follows it gets no warnings.
            #expect(!result.errorOutput.contains("warning "), "\(result.errorOutput)")
            #expect(!result.errorOutput.contains("kachat-node: "), "\(result.errorOutput)")
            // Secrets are outside the checkout, for their owner only, and in the end everything is gone.
            let listing = String(decoding: FileTree.read(home + "/listing") ?? [], as: UTF8.self)
            #expect(listing.contains("one.backup") && !listing.contains("phrase"), "\(listing)")
            let backup = listing.split(separator: "\n").first { $0.hasSuffix("one.backup") }
            #expect(backup?.hasPrefix("-rw-------") == true, "\(listing)")
            #expect(!FileTree.exists(home + "/kachat-try"))
        }

        /// In a terminal, a question would take the pasted lines after it as its answer.
        @Test(.enabled(if: has("dash"), "dash is not installed")) func nothingAsksForTheNextLine() throws {
            let fixture = try Fixture()
            let home = fixture.folder.file("user")
            mkdir(home, 0o700)
            var lines = try #require(try blocks().first { $0.contains { $0.contains(" init ") } })
            lines.removeAll { $0.hasPrefix("make ") }
            lines.insert("trap 'kill $one $two 2>/dev/null || :' EXIT", at: 0)
            var command = Command("dash", ["-i"])
            let folder = fixture.binary.path.dropLast("/kachat-node".count)
            let path = try Command("sh", ["-c", "printf %s \"$PATH\""]).run().output
            command.environment = [
                "HOME": home, "PATH": "\(folder):\(path)", "KACHAT_HOME": nil, "XDG_DATA_HOME": nil, "ENV": nil,
            ]
            let terminal = try SetupTerminal(command, columns: 120)
            for line in lines { terminal.type(line) }
            terminal.type("echo pasted to the e''nd; exit")
            try terminal.expect("pasted to the end")
            for sign in ["is wiped: no device has it now", "1 line: 1 new", "Caught up with 1 device"] {
                #expect(terminal.shown.contains(sign), "\(sign): \(terminal.shown)")
            }
            _ = try terminal.end()
        }
    }
}
