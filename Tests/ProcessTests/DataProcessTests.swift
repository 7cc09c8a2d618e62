import NodeDriver
import ProcessHarness
import SampleData
import Testing

#if canImport(Glibc)
    import Glibc
#endif

extension ProcessTests {
    /// Search, archives and backups: data that leaves one home and enters another.
    @Suite struct Data {
        /// The messages, what of them was read, and the conversations' details, as scripts see them.
        private func content(_ node: DrivenNode) throws -> [String] {
            let messages = try node.run(["export", "--state"]).split(separator: "\n").map(String.init).sorted()
            // After a restore, the device that read is a different one.
            let conversations = try node.run(["conversation", "list", "--json"])
                .replacing(/"lastReadBy":"[0-9a-f]*"/, with: "").split(separator: "\n").map(String.init)
            return messages + conversations
        }

        /// Sets titles, flags and all other details of a few conversations, and corrects some of them.
        private func describe(_ node: DrivenNode, _ conversations: [String]) throws {
            for (number, id) in conversations.enumerated() {
                let name = "conversation \(number) \"🦊\""
                try node.run(["conversation", "set", id, "--title", "a first title", "--pinned", "on"])
                try node.run(["conversation", "set", id, "--title", name, "--muted", "on", "--unread", "on"])
                try node.run(["conversation", "set", id, "--participant", "kaspa:\(number)=Ada", "--pinned", "off"])
            }
            // Nobody has written there yet.
            try node.run(["conversation", "set", "empty", "--archived", "on", "--checkpoint", "00ff07"])
        }

        private func flip(_ path: String, at place: Int) throws {
            var bytes = try #require(FileTree.read(path))
            bytes[place] ^= 1
            try FileTree.write(bytes, to: path)
        }

        private func mode(_ path: String) -> mode_t {
            var status = stat()
            return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
        }

        @Test func searchFindsTheSameRunningOrNot() throws {
            let fixture = try Fixture()
            let node = try fixture.node("one")
            let talk = Talk(400)
            try node.run(["import", try fixture.file("talk", talk.lines)])
            let words: [Substring] = talk.messages[7].body.split(separator: " ")
            let word = try #require(words.max { $0.count < $1.count })
            func hits(_ word: Substring) -> [String] {
                talk.messages.filter { $0.body.lowercased().contains(word.lowercased()) }
                    .sorted { ($0.blockTime, $0.txidHex) > ($1.blockTime, $1.txidHex) }.map(\.txidHex)
            }
            let expected = hits(word)
            let all = talk.messages.flatMap { $0.body.split(separator: " ") }
            let common = try #require(all.first { $0.count > 4 && $0.allSatisfy(\.isLetter) && hits($0).count > 1 })
            for isRunning in [false, true] {
                if isRunning { try node.start() }
                let search = ["message", "search", word.uppercased(), "--limit", "10000"]
                #expect(try node.objects(ListedMessage.self, search).map(\.txid) == expected)
                let few = try node.attempt(["message", "search", String(common), "--limit", "1"])
                #expect(few.lines.count == 1 && few.errorOutput.contains("stopped after 1 hit:"))
                // With all results shown, nothing is said to remain.
                let limit = String(hits(common).count)
                let whole = try node.attempt(["message", "search", String(common), "--limit", limit])
                #expect(whole.lines.count == hits(common).count && whole.errorOutput.isEmpty)
                #expect(try node.run(["message", "search", "\"no message", "says this\""]).isEmpty)
                for (arguments, status) in [
                    (["\"\""], 2), (["x", "--from", "2026-02-30"], 2), (["x", "--limit", "0"], 2), ([], 2),
                    (["x", "--from", "2026-02-03", "--to", "2026-02-02"], 2), (["x", "--conversation", "nobody"], 5),
                ] {
                    #expect(try node.attempt(["message", "search"] + arguments).status == .exited(Int32(status)))
                }
            }
        }

        @Test func anArchiveGivesTheSameSet() throws {
            let fixture = try Fixture()
            let nodes = try [fixture.node("one"), fixture.node("two"), fixture.node("three")]
            let talk = Talk(500)
            try nodes[0].start()
            try nodes[0].run(["import", try fixture.file("talk", talk.lines)])
            for conversation in Set(talk.messages.map(\.conversationID)).sorted().prefix(5) {
                try nodes[0].run(["read", "mark", conversation])
            }
            try describe(nodes[0], Array(Set(talk.messages.map(\.conversationID)).sorted().prefix(3)))
            for message in talk.messages[10..<13] { try nodes[0].run(["message", "delete", message.txidHex, "--yes"]) }
            // One message still waits for its segment.
            let late = SampleChat(seed: 99, messageCount: 1, conversationCount: 1).messages()[0]
            _ = try nodes[0].attempt(["message", "add"], input: late.jsonLine + "\n")
            let file = fixture.folder.file("archive")
            #expect(try nodes[0].run(["export", "--archive", file]).contains("498 messages in"))
            #expect(mode(file) == 0o600)
            let before = try content(nodes[0])
            // Its messages must come from the archive alone.
            nodes[1].runArguments = ["--discovery", "off", "--listen", "127.0.0.1:0"]
            try nodes[1].start()
            for (node, second) in [(nodes[1], false), (nodes[1], true), (nodes[2], false)] {
                let said = try node.run(["import", file])
                #expect(said.contains(second ? "0 new, 498 already here" : "498 new, 0 already here"))
                #expect(try content(node) == before)
            }
            // Lines carry the same content, also to a home of another account.
            let lines = try nodes[0].run(["export", "--state"])
            #expect(lines.contains("\"kind\":\"conversation\"") && lines.contains("\"kind\":\"deleted\""))
            let stranger = try fixture.stranger()
            let file2 = fixture.folder.file("lines")
            try FileTree.write(Array(lines.utf8), to: file2)
            #expect(try stranger.run(["import", file2]).contains("498 new"))
            #expect(try content(stranger) == before)
            #expect(try stranger.run(["import", file2]).contains("0 new, 498 already here"))
            // Deleted messages stay deleted, even if an old file brings them again.
            try nodes[2].run(["import", try fixture.file("talk", talk.lines)])
            #expect(try content(nodes[2]) == before)
        }

        @Test func badArchives() throws {
            let fixture = try Fixture()
            let (node, stranger) = (try fixture.node("one"), try fixture.stranger())
            let file = fixture.folder.file("archive")
            try node.run(["import", try fixture.file("talk", Talk(200).lines)])
            try node.run(["export", "--archive", file])
            let whole = try #require(FileTree.read(file))
            func refused(_ arguments: [String], _ status: Int32, _ words: String, by node: DrivenNode) throws {
                let result = try node.attempt(arguments)
                #expect(result.status == .exited(status), "\(arguments)")
                #expect(result.errorOutput.contains(words), "\(result.errorOutput)")
            }
            try refused(["export", "--archive", file], 1, "already exists", by: node)
            try refused(["export", "--archive", file + "/x"], 1, "cannot write", by: node)
            try refused(["export", "--archive", fixture.folder.path], 2, "is a folder", by: node)
            try refused(["import", file + ".none"], 1, "No such file", by: node)
            try refused(["import", file], 4, "not of", by: stranger)
            try refused(
                ["restore", file], 1, "holds an archive of messages",
                by: fixture.adopt(
                    "new", home: fixture.folder.file("new")))
            #expect(FileTree.read(file) == whole)
            try flip(file, at: 60)
            try refused(["import", file], 1, "is damaged in `messages 1` of its 2 parts", by: stranger)
            try refused(["import", file, "--partial"], 4, "not of", by: stranger)
            let partial = try stranger.attempt(["import", file, "--partial", "--force"])
            #expect(partial.status == .exited(1) && partial.output.contains("0 new"))
            #expect(partial.errorOutput.contains("left out, since they are damaged: `messages 1`"))
            try FileTree.write([0x7F] + whole, to: file)
            try refused(["import", file], 1, "neither an archive nor text", by: stranger)
            try refused(["import", fixture.folder.path], 1, "cannot read \(fixture.folder.path)", by: stranger)
            try FileTree.write(Array(whole.dropLast(100)), to: file)
            try refused(["import", file], 1, "is truncated", by: stranger)
            #expect(try stranger.messageCount() == 0)
            // The owner is in the archive's end; the parts before it are whole.
            try refused(["import", file, "--partial"], 4, "the missing end of this archive", by: stranger)
            let rest = try stranger.attempt(["import", file, "--partial", "--force"])
            #expect(rest.status == .exited(1) && rest.output.contains("200 new"), "\(rest.output)")
            #expect(rest.errorOutput.contains("left out"), "\(rest.errorOutput)")
            try FileTree.write(Array(whole.prefix(60)), to: file)
            let nothing = try stranger.attempt(["import", file, "--partial", "--force"])
            #expect(nothing.errorOutput.contains("everything, since the file breaks off"), "\(nothing.errorOutput)")
            try FileTree.write(whole, to: file)
            #expect(try stranger.run(["import", file, "--force"]).contains("0 new"))
            #expect(FileTree.names(in: fixture.folder.path).allSatisfy { !$0.contains(".new-") })
        }

        @Test func aFullDiskLeavesNothingBehind() throws {
            let fixture = try Fixture()
            let node = try fixture.node("one")
            try node.run(["import", try fixture.file("talk", Talk(2_000).lines)])
            try node.start()
            for arguments in [["export", "--archive"], ["backup"]] {
                let file = fixture.folder.file("full")
                var command = node.binary.command(home: node.home, arguments + [file])
                command.limits.fileSizeBytes = 16 << 10
                let result = try command.run()
                #expect(result.status == .exited(1))
                #expect(result.errorOutput.contains("cannot write"), "\(result.errorOutput)")
                #expect(FileTree.names(in: fixture.folder.path).allSatisfy { !$0.hasPrefix("full") })
            }
            #expect(try node.messageCount() == 2_000)
        }

        @Test func aBackupOfABusyNodeComesBackBesideIt() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("one", "two")
            let talk = Talk(900)
            let backup = fixture.folder.file("backup")
            try nodes[0].run(["import", try fixture.file("first", Array(talk.lines[..<300]))])
            try nodes[0].run(["read", "mark", talk.messages[0].conversationID])
            try describe(nodes[0], [talk.messages[0].conversationID])
            let unread = try nodes[0].status().account?.unread
            // An import continues while the backup is made.
            var importing = nodes[0].binary.command(
                home: nodes[0].home, ["import", try fixture.file("second", Array(talk.lines[300..<600]))])
            importing.errorOutput = .discarded
            let child = try ChildProcess(importing)
            let said = try nodes[0].run(["backup", backup])
            #expect(said.contains("contains the keys"))
            try child.wait()
            #expect(mode(backup) == 0o600)
            #expect(FileTree.names(in: fixture.folder.path).allSatisfy { !$0.contains("copies") })

            let restored = fixture.adopt("three", home: fixture.folder.file("three"))
            try restored.run(["restore", backup])
            let held = try restored.messageCount()
            #expect((300...600).contains(held))
            #expect(try Set(restored.exportedTxids()).isSubset(of: nodes[0].exportedTxids()))
            if held == 300 { #expect(try restored.status().account?.unread == unread) }
            let again = try restored.attempt(["restore", backup])
            #expect(again.status == .exited(1) && again.errorOutput.contains("already has an identity"))
            // Beside the living original and the other device, all have everything and continue.
            try restored.start()
            let all = nodes + [restored]
            try fixture.waitForAgreement(all, messages: 600)
            for (number, node) in all.enumerated() {
                let part = Array(talk.lines[600 + 100 * number..<700 + 100 * number])
                try node.run(["import", try fixture.file("part\(number)", part)])
            }
            try fixture.waitForAgreement(all, messages: 900)
            try fixture.wait("they are three devices") { Set(try all.map { try $0.status().deviceId }).count == 3 }
            try fixture.waitForAgreement(all, messages: 900)
            let first = try content(all[0])
            for node in all.dropFirst() { #expect(try content(node) == first) }
        }

        @Test func aBackupWithoutKeysNeedsThePhrase() throws {
            let fixture = try Fixture()
            let (node, stranger) = (try fixture.node("one"), try fixture.stranger())
            try node.run(["import", try fixture.file("talk", Talk(200).lines)])
            let backup = fixture.folder.file("backup")
            #expect(try node.run(["backup", "--without-keys", backup]).contains("contains no keys"))
            let restored = fixture.adopt("two", home: fixture.folder.file("two"))
            func attempt(_ arguments: [String]) throws -> CommandResult {
                try restored.attempt(["restore", backup] + arguments)
            }
            #expect(try attempt([]).status == .exited(2))
            let other = fixture.folder.file("other")
            try stranger.savePhrase(to: other)
            let wrong = try attempt(["--phrase-file", other])
            #expect(wrong.status == .exited(1) && wrong.errorOutput.contains("lacks the phrase of account"))
            #expect(!FileTree.exists(restored.home + "/identity"))
            #expect(try attempt(["--phrase-file", fixture.phraseFile, "--name", "tablet"]).status == .exited(0))
            #expect(try content(restored) == content(node))
            // Both continue.
            try node.start()
            try restored.start()
            try restored.run(["import", try fixture.file("more", Talk(50, seed: 8).lines)])
            try fixture.waitForAgreement([node, restored], messages: 250)
        }

        /// With the obstacle removed, the same command succeeds.
        @Test func aRestoreThatFailsHalfwayCanBeTriedAgain() throws {
            let fixture = try Fixture()
            let node = try fixture.node("one")
            try node.run(["config", "set", "log.level", "debug"])
            let backup = fixture.folder.file("backup")
            try node.run(["backup", backup])
            let restored = fixture.adopt("restored", home: fixture.folder.file("restored"))
            let obstacle = restored.home + "/config.json.new"
            mkdir(restored.home, 0o700)
            mkdir(obstacle, 0o700)
            let failed = try restored.attempt(["restore", backup])
            #expect(failed.status == .exited(1) && failed.errorOutput.contains("cannot write to the home"))
            #expect(FileTree.names(in: restored.home + "/zones").isEmpty)
            rmdir(obstacle)
            try restored.run(["restore", backup])
            #expect(try restored.status().account?.messages == 0)
        }

        @Test func badBackups() throws {
            let fixture = try Fixture()
            let node = try fixture.node("one")
            try node.run(["import", try fixture.file("talk", Talk(200).lines)])
            let backup = fixture.folder.file("backup")
            try node.run(["backup", backup])
            let size = try #require(FileTree.sizeBytes(of: backup))
            let restored = fixture.adopt("two", home: fixture.folder.file("two"))
            let imported = try node.attempt(["import", backup])
            #expect(imported.status == .exited(1) && imported.errorOutput.contains("holds a backup"))
            for place in stride(from: 3, to: size, by: size / 20) {
                try flip(backup, at: place)
                let result = try restored.attempt(["restore", backup])
                #expect(result.status == .exited(1), "byte \(place)")
                #expect(!FileTree.exists(restored.home))
                try flip(backup, at: place)
            }
            try restored.run(["restore", backup])
            #expect(try content(restored) == content(node))
        }

        @Test(.enabled(if: Convergence.realChat != nil, "no real history: set KACHAT_CHAT=FILE.jsonl"))
        func aRealHistoryGoesThroughEach() throws {
            let fixture = try Fixture()
            let nodes = try [fixture.node("one"), fixture.node("two")]
            let path = try #require(Convergence.realChat)
            try nodes[0].run(["import", path], within: .seconds(600))
            for conversation in ["#ubuntu", "linux-rulz"] { _ = try nodes[0].attempt(["read", "mark", conversation]) }
            let before = try content(nodes[0])
            let (archive, backup) = (fixture.folder.file("archive"), fixture.folder.file("backup"))
            try nodes[0].run(["export", "--archive", archive])
            try nodes[1].run(["import", archive], within: .seconds(600))
            #expect(try content(nodes[1]) == before)
            try nodes[0].run(["backup", backup])
            let restored = fixture.adopt("three", home: fixture.folder.file("three"))
            try restored.run(["restore", backup])
            #expect(try content(restored) == before)
            let lines = try nodes[0].run(["export"])
            let plain = fixture.folder.file("plain")
            try FileTree.write(Array(lines.utf8), to: plain)
            #expect(try restored.run(["import", plain], within: .seconds(600)).contains(" 0 new"))
        }
    }
}
