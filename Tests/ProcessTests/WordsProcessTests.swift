import Chat
import Ledger
import NodeCore
import NodeDriver
import ProcessHarness
import Testing

@testable import Node

#if canImport(Glibc)
    import Glibc
#endif

extension ProcessTests {
    /// The recovery phrase, and everything that only its holder may have, is on no device.
    @Suite struct Words {
        struct Made: Decodable { var phrase: String }
        struct Details: Decodable { var phraseOnDevice: Bool }

        /// Bytes that would give the account away, each in the forms in which it may be stored.
        private struct Needles {
            let all: [(name: String, bytes: [UInt8])]

            init(phrase: String) throws {
                let mnemonic = try Mnemonic(phrase: phrase)
                let words = phrase.split(separator: " ")
                var all = Self.forms("the entropy", mnemonic.entropy) + Self.forms("the seed", mnemonic.seed())
                // These are any three words in a row.
                for start in 0..<words.count - 2 {
                    all.append(("words \(start + 1)…", Array(words[start..<start + 3].joined(separator: " ").utf8)))
                }
                self.all = all
            }

            init(walletKey: Secret) { all = Self.forms("the wallet's key", walletKey) }

            private static func forms(_ name: String, _ secret: Secret) -> [(name: String, bytes: [UInt8])] {
                let bytes = secret.withUnsafeBytes { Array($0) }
                let hex = Hex.encode(bytes)
                return [
                    (name, bytes), (name + " in hex", Array(hex.utf8)),
                    (name + " in capitals", Array(hex.uppercased().utf8)),
                ]
            }

            func found(in bytes: [UInt8]) -> [String] {
                var begins = [Bool](repeating: false, count: 1 << 16)
                for needle in all { begins[Int(needle.bytes[0]) << 8 | Int(needle.bytes[1])] = true }
                var names: [String] = []
                bytes.withUnsafeBytes { stack in
                    begins.withUnsafeBufferPointer { begins in
                        for place in 0..<max(0, stack.count - 1)
                        where begins[Int(stack[place]) << 8 | Int(stack[place + 1])] {
                            names += all.filter { stack[place...].starts(with: $0.bytes) }.map(\.name)
                        }
                    }
                }
                return names
            }

            func found(inFilesOf folder: String) -> [String] {
                FileTree.names(in: folder).flatMap { name in
                    let path = folder + "/" + name
                    let names = found(in: FileTree.read(path) ?? []).map { "\(path): \($0)" }
                    return names + found(inFilesOf: path)
                }
            }

            /// Searches all memory to which the process could have written them.
            func found(inMemoryOf process: Int32) throws -> [String] {
                let maps = String(decoding: try #require(FileTree.read("/proc/\(process)/maps")), as: UTF8.self)
                let memory = open("/proc/\(process)/mem", O_RDONLY | O_CLOEXEC)
                try #require(memory >= 0)
                defer { close(memory) }
                var names: [String] = []
                for line in maps.split(separator: "\n") {
                    let fields = line.split(separator: " ")
                    let ends = fields[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
                    guard ends.count == 2, fields[1].hasPrefix("rw") else { continue }
                    let bytes = [UInt8](unsafeUninitializedCapacity: Int(ends[1] - ends[0])) { buffer, count in
                        count = max(0, pread(memory, buffer.baseAddress, buffer.count, off_t(ends[0])))
                    }
                    names += found(in: bytes).map { "\(fields.last ?? ""): \($0)" }
                }
                return names
            }
        }

        /// Only root can read a node's memory, if the system allows it.
        static let canReadMemory: Bool = {
            guard getuid() == 0, let child = try? ChildProcess(Command("sleep", ["60"])) else { return false }
            defer { child.killNow() }
            let memory = open("/proc/\(child.pid)/mem", O_RDONLY | O_CLOEXEC)
            if memory >= 0 { close(memory) }
            return memory >= 0
        }()

        /// Memory goes into no core file. Root owns the files in /proc anyway, so the second half is tested only as
        /// another user.
        @Test func aCrashWritesNoCoreFile() throws {
            let fixture = try Fixture()
            let node = try fixture.started("laptop")[0]
            let process = try #require(node.process)
            let limits = String(decoding: try #require(FileTree.read("/proc/\(process.pid)/limits")), as: UTF8.self)
            let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
            #expect(line.split(separator: " ")[4] == "0")
            var found = stat()
            #expect(stat("/proc/\(process.pid)/environ", &found) == 0 && found.st_uid == 0)
        }

        private func confirm(_ node: DrivenNode, _ phrase: String) throws {
            let words = phrase.split(separator: " ")
            try node.run(["account", "confirm", "--words-file", "-"], input: "5 \(words[4]) 19 \(words[18])\n")
            #expect(try !node.object(Details.self, ["account", "show"]).phraseOnDevice)
        }

        private func made(_ fixture: Fixture) throws -> (node: DrivenNode, phrase: String) {
            let node = fixture.adopt("laptop", home: fixture.folder.file("laptop"))
            let phrase = try node.object(Made.self, ["init", "--name", "laptop"]).phrase
            return (node, phrase)
        }

        @Test func noFileHasThemOnceTheyAreConfirmed() throws {
            let fixture = try Fixture()
            let (node, phrase) = try made(fixture)
            let needles = try Needles(phrase: phrase)
            #expect(needles.found(inFilesOf: node.home).map { $0.hasSuffix("the entropy") } == [true])
            let backup = fixture.folder.file("early.backup")
            try node.run(["backup", backup])
            try node.start()
            try node.run(["import", try fixture.file("chat", Talk(20).lines)])
            try confirm(node, phrase)
            #expect(needles.found(inFilesOf: node.home).isEmpty)
            // An earlier copy does not have them either.
            let copy = fixture.adopt("copy", home: fixture.folder.file("copy"))
            try copy.run(["restore", backup])
            #expect(needles.found(inFilesOf: copy.home).isEmpty)
            #expect(try copy.attempt(["account", "phrase"]).errorOutput.contains("no device has it"))
            // A user who types them has them already.
            try FileTree.write(Array(phrase.utf8), to: fixture.phraseFile)
            let typed = fixture.adopt("typed", home: fixture.folder.file("typed"))
            try typed.run(["init", "--phrase-file", fixture.phraseFile])
            try typed.run(["account", "enter", "--phrase-file", fixture.phraseFile])
            #expect(needles.found(inFilesOf: typed.home).isEmpty)
        }

        /// At a terminal, `init` asks at once, until the words are right.
        @Test func aTerminalAsksForTwoWords() throws {
            let fixture = try Fixture()
            let node = fixture.adopt("laptop", home: fixture.folder.file("laptop"))
            let terminal = try SetupTerminal(node, ["init"])
            try terminal.expect("type two of the words")
            let phrase = try node.run(["account", "phrase"]).filter { !$0.isNewline }
            let words = phrase.split(separator: " ").map(String.init)
            func answer(_ change: (String) -> String) throws {
                try terminal.expect("(or Return, to do it later): ")
                let asked = try #require(terminal.shown.matches(of: /Word (\d+) \(or/).last)
                terminal.type(change(words[try #require(Int(asked.1)) - 1]))
            }
            for _ in 0..<2 { try answer { $0 + "x" } }
            try terminal.expect("is wrong, so nothing was wiped")
            for _ in 0..<2 { try answer { $0.uppercased() + " " } }
            try terminal.expect("no device has them now")
            #expect(try terminal.end() == .exited(0))
            #expect(try Needles(phrase: phrase).found(inFilesOf: node.home).isEmpty)
        }

        @Test func noFileHasAWalletsKey() throws {
            let fixture = try Fixture()
            var random = SystemRandom()
            let key = Secret(random: &random, count: 32)
            let needles = Needles(walletKey: key)
            let path = try fixture.file("key", [key.withUnsafeBytes { Hex.encode(Array($0)) }])
            let node = fixture.adopt("wallet", home: fixture.folder.file("wallet"))
            try node.run(["init", "--wallet-key", path])
            try node.start()
            try node.run(["account", "enter", "--wallet-key", path])
            #expect(needles.found(inFilesOf: node.home).isEmpty)
        }

        @Test func aDeviceThatWasPairedNeverHadThem() throws {
            let fixture = try Fixture()
            let (laptop, phrase) = try made(fixture)
            let phone = fixture.adopt("phone", home: fixture.folder.file("phone"))
            let giver = try PairingSide(laptop, ["account", "pair"] + PairingSide.onLoopback)
            let taker = try PairingSide(
                phone, ["account", "pair", "--join", "--name", "phone"] + PairingSide.onLoopback)
            let digits = try giver.digits()
            #expect(try taker.digits() == digits)
            try giver.say("confirm", digits)
            try taker.say("confirm", digits)
            try taker.wait("done")
            #expect(try giver.end() == .exited(0) && taker.end() == .exited(0))
            let needles = try Needles(phrase: phrase)
            #expect(needles.found(inFilesOf: phone.home).isEmpty)
            #expect(!needles.found(inFilesOf: laptop.home).isEmpty)
        }

        @Test(.enabled(if: canReadMemory, "the memory of another process cannot be read here"))
        func theMemoryOfANodeHasThemNoLonger() throws {
            let fixture = try Fixture()
            let (node, phrase) = try made(fixture)
            let needles = try Needles(phrase: phrase)
            try node.start()
            let process = try #require(node.process).pid
            #expect(try !needles.found(inMemoryOf: process).isEmpty, "the search finds what is there")
            try node.run(["status"])
            try node.run(["account", "label", "first"])
            try confirm(node, phrase)
            #expect(try needles.found(inMemoryOf: process).isEmpty)
        }
    }
}
