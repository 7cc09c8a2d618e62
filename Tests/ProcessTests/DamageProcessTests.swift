import NodeDriver
import ProcessHarness
import SampleData
import SyncState
import TestScale
import Testing

#if canImport(Glibc)
    import Glibc
#endif

extension ProcessTests {
    /// Homes that were copied, restored or damaged, or that have no room left.
    @Suite struct Damage {
        @Test func aRestoredHomeStartsAfreshAndLosesNothing() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("one", "two")
            let talk = Talk(300)
            try nodes[0].run(["import", try fixture.file("first", Array(talk.lines[..<100]))])
            try fixture.waitForAgreement(nodes, messages: 100)
            let before = try nodes[0].status().deviceId
            nodes[0].stop()
            let backup = fixture.folder.file("backup")
            try FileTree.copy(nodes[0].home, to: backup)
            try nodes[0].start()
            try nodes[0].run(["import", try fixture.file("second", Array(talk.lines[100..<200]))])
            try fixture.waitForAgreement(nodes, messages: 200)
            nodes[0].stop()
            FileTree.remove(nodes[0].home)
            try FileTree.copy(backup, to: nodes[0].home)
            try nodes[0].start()
            try nodes[0].run(["import", try fixture.file("third", Array(talk.lines[200...]))])
            try fixture.waitForAgreement(nodes, messages: 300)
            try fixture.wait("it has another key") { try nodes[0].status().deviceId != before }
            try fixture.waitForAgreement(nodes, messages: 300)
            #expect(nodes[0].log.contains("started-afresh"))
        }

        @Test func aCopiedHomeThatRunsTwiceBecomesTwoDevices() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("one", "two")
            let talk = Talk(200)
            try nodes[0].run(["import", try fixture.file("first", Array(talk.lines[..<100]))])
            try fixture.waitForAgreement(nodes, messages: 100)
            nodes[1].stop()
            let copy = fixture.folder.file("copy")
            try FileTree.copy(nodes[1].home, to: copy)
            let clone = fixture.adopt("clone", home: copy)
            try nodes[1].start()
            try clone.start()
            let all = nodes + [clone]
            try nodes[1].run(["import", try fixture.file("second", Array(talk.lines[100..<150]))])
            try clone.run(["import", try fixture.file("third", Array(talk.lines[150...]))])
            try fixture.waitForAgreement(all, messages: 200)
            try fixture.wait("they are three devices") { Set(try all.map { try $0.status().deviceId }).count == 3 }
            try fixture.waitForAgreement(all, messages: 200)
        }

        /// Damage found by a reader is examined at once and fetched again; a short export says that it is short.
        @Test func aRottenBlobIsNoticedByWhoReadsIt() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("one", "two")
            let talk = Talk(500)
            try nodes[0].run(["import", try fixture.file("chat", talk.lines)])
            try fixture.waitForAgreement(nodes, messages: 500)
            let exported = try nodes[0].run(["export"])
            for node in nodes { node.stop() }
            try Self.rot(nodes[1].home)
            let short = try nodes[1].attempt(["export"])
            #expect(short.status == .exited(1) && short.errorOutput.contains("could not be read"))
            #expect(short.lines.count < 500)
            for node in nodes { try node.start() }
            _ = try nodes[1].attempt(["export"])
            try fixture.wait("what rotted is here again") { try nodes[1].attempt(["export"]).output == exported }
        }

        /// A damaged tree is derived again from what it lists.
        @Test func aRottenIndexIsDerivedAnew() throws {
            struct Report: Decodable {
                var damagedBlobs: Int
                var damagedIndexes: Int
            }
            let fixture = try Fixture()
            let node = try fixture.node("one")
            try node.run(["import", try fixture.file("chat", Talk(500).lines)])
            let exported = try node.run(["export"])
            for leaf in ["MIN", "MAX"] {
                try Self.change(node.home, "packed_leaf", "entries", leaf)
                let report = try node.object(Report.self, ["scrub"])
                #expect(report.damagedBlobs == 0 && report.damagedIndexes == 1)
                #expect(try node.run(["export"]) == exported)
                #expect(try node.object(Report.self, ["scrub"]).damagedIndexes == 0)
            }
        }

        @Test func aFlippedByteAndALostRowComeBackFromAPeer() throws {
            struct Report: Decodable {
                var damagedBlobs: Int
                var lanesDiffering: Int
            }
            struct Problems: Decodable {
                struct Account: Decodable { var problems: [Problem] }
                struct Problem: Decodable { var code, what, remedy: String }
                var accounts: [Account]
            }
            let fixture = try Fixture()
            let nodes = try fixture.started("one", "two")
            let talk = Talk(500)
            try nodes[0].run(["import", try fixture.file("chat", talk.lines)])
            try fixture.waitForAgreement(nodes, messages: 500)
            let exported = try nodes[0].run(["export"])
            // It is alone until it was asked, since a peer would repair the lane at once.
            for node in nodes { node.stop() }
            try Self.damage(nodes[1].home)
            try nodes[1].start()
            let report = try nodes[1].object(Report.self, ["scrub"])
            #expect(report.damagedBlobs >= 1)
            #expect(report.lanesDiffering >= 1)
            let problems = try nodes[1].object(Problems.self, ["status"]).accounts[0].problems
            let unreadable = try #require(problems.first { $0.code == "unreadable" })
            #expect(unreadable.what == "1 segment cannot be read here")
            #expect(unreadable.remedy == "turn on your other devices; what they have arrives automatically")
            try nodes[0].start()
            try fixture.waitForAgreement(nodes, messages: 500)
            #expect(try nodes[1].run(["export"]) == exported)
            let after = try nodes[1].object(Report.self, ["scrub"])
            #expect(after.damagedBlobs == 0)
            #expect(after.lanesDiffering == 0)
        }

        /// Flips a byte of the latest blob, and deletes the newest row of another one.
        private static func damage(_ home: String) throws {
            try rot(home)
            try withDatabase(home) { database in
                try database.execute(
                    """
                    DELETE FROM record WHERE id = (
                        SELECT MAX(id) FROM record WHERE kind = 2 AND blob <> (SELECT MAX(id) FROM blob))
                    """)
            }
        }

        /// Flips a byte of the latest blob, of the first one (`MIN`), or of each (`ALL`).
        static func rot(_ home: String, _ which: String = "MAX") throws { try change(home, "blob", "data", which) }

        /// Flips a byte in the middle of a column of the first or the last row, or of all.
        private static func change(_ home: String, _ table: String, _ column: String, _ which: String) throws {
            let rows = which == "ALL" ? "" : " WHERE id = (SELECT \(which)(id) FROM \(table))"
            try withDatabase(home) { database in
                let query = try database.prepare("SELECT id, \(column) FROM \(table)\(rows)")
                var changed: [(id: Int64, bytes: [UInt8])] = []
                while try query.step() {
                    var bytes = query.blob(1)
                    bytes[bytes.count / 2] ^= 1
                    changed.append((query.int(0), bytes))
                }
                try #require(!changed.isEmpty)
                let update = try database.prepare("UPDATE \(table) SET \(column) = ? WHERE id = ?")
                for row in changed {
                    update.bind(1, row.bytes)
                    update.bind(2, row.id)
                    try update.run()
                }
            }
        }

        private static func withDatabase(_ home: String, _ body: (Database) throws -> Void) throws {
            let name = try #require(FileTree.names(in: home + "/zones").first { $0.hasSuffix(".db") })
            try body(Database(path: home + "/zones/" + name))
        }

        /// A limit on file sizes stands for a full disk, and is lifted while the node runs. All the messages take more
        /// than twice the limit, also after the log was moved into the file.
        @Test func aFullDiskPausesAndGoesOnWhenThereIsRoom() throws {
            let fixture = try Fixture()
            let talk = Talk(10_000, conversations: 100)
            let one = try fixture.node("one")
            let limited = try Self.limited(fixture, fixture.node("two"))
            try limited.run(["import", try fixture.file("first", Array(talk.lines[..<200]))])
            try one.start()
            try limited.start()
            try fixture.waitForAgreement([one, limited], messages: 200)

            try one.run(["import", try fixture.file("all", talk.lines)])
            try fixture.wait("the limited node says why it pauses") {
                try Self.account(limited).reason?.contains("storage full") == true
            }
            try Self.expectPause(limited, talk, refusal: "storage full", advice: "make room for")
            #expect(limited.log.contains("store-failed"))

            let pid = try #require(limited.process?.pid)
            let lifted = try Command("prlimit", ["--pid", "\(pid)", "--fsize=unlimited"]).run()
            #expect(lifted.status.isSuccess)
            try Self.expectAll(fixture, [one, limited], talk)
        }

        /// The user's quota acts like a disk.
        @Test func aQuotaPausesAndGoesOnWhenItIsRaised() throws {
            let fixture = try Fixture()
            let talk = Talk(6000, conversations: 100)
            let nodes = try [fixture.node("one"), fixture.node("two")]
            let (one, bounded) = (nodes[0], nodes[1])
            try bounded.run(["import", try fixture.file("first", Array(talk.lines[..<200]))])
            let zones = bounded.home + "/zones/"
            let name = try #require(FileTree.names(in: zones).first { $0.hasSuffix(".db") })
            let quota = try #require(FileTree.sizeBytes(of: zones + name)) + 500_000
            try bounded.run(["config", "set", "storage.quotaBytes", "\(quota)"])
            for node in nodes { try node.start() }
            try fixture.waitForAgreement(nodes, messages: 200)

            try one.run(["import", try fixture.file("all", talk.lines)])
            try fixture.wait("it says why it pauses") {
                try Self.account(bounded).reason?.contains("the account's quota of ") == true
            }
            try Self.expectPause(bounded, talk, refusal: "storage.quotaBytes", advice: "raise it to")
            // The store is tried again every 5 s; what did not fit is not fetched repeatedly.
            let held = try bounded.messageCount()
            let next = try #require(try Self.account(bounded).until)
            let span: Int64 = TestScale.of(usual: 0, proof: 7_500)
            try fixture.wait("it has tried again") { try Self.account(bounded).until ?? 0 > next + span }
            #expect(try bounded.messageCount() == held)
            #expect(!bounded.log.contains("store-recovered"))

            // There is room at once, and not only with the next try.
            try bounded.run(["config", "unset", "storage.quotaBytes"])
            try bounded.run(["message", "add"], input: talk.lines[0] + "\n")
            #expect(try Self.account(bounded).reason?.contains("storage full") != true)
            try Self.expectAll(fixture, nodes, talk)
        }

        /// The first message that does not fit is refused with the actual reason.
        @Test func whatTheQuotaRefusesNamesTheQuota() throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            try node.run(["config", "set", "storage.quotaBytes", "20000"])
            var refused: String?
            for number in 1...20 where refused == nil {
                let (txid, body) = (
                    String(repeating: "a", count: 62) + "\(number + 10)", String(repeating: "b", count: 8_000)
                )
                let line = """
                    {"txid":"\(txid)","conversationId":"a","contact":"a","direction":"sent","senderTs":1,\
                    "body":"\(body)"}
                    """
                let result = try node.attempt(["message", "add"], input: line + "\n")
                if result.status != .exited(0) { refused = result.errorOutput }
            }
            let said = try #require(refused)
            #expect(said.contains("the account's quota of 20 kB is used"))
            let doctor = try node.attempt(["doctor", "--discovery", "lo"])
            #expect(doctor.status == .exited(1) && doctor.output.contains("raise the quota"), "\(doctor.output)")
            #expect(!doctor.output.contains("scrub` checks every byte"), "a full store is not damaged")
            // The advised quota is enough.
            let advised = try #require(
                said.split(separator: "config set storage.quotaBytes ").last?.prefix { $0.isNumber })
            try node.run(["config", "set", "storage.quotaBytes", String(advised)])
            try node.run(["message", "add"], input: Talk(1).lines[0] + "\n")
        }

        /// One account's file is no longer a database: the other account continues.
        @Test func aDamagedDatabaseStopsItsAccountOnly() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("one", "two")
            nodes[0].stop()
            let zones = nodes[0].home + "/zones/"
            let before = Set(FileTree.names(in: zones))
            try nodes[0].run(["account", "create", "--label", "other"])
            let other = try #require(
                FileTree.names(in: zones).first { $0.hasSuffix(".db") && !before.contains($0) })
            try FileTree.write([UInt8](repeating: 7, count: 100_000), to: zones + other)
            try nodes[0].start()
            let accounts = try nodes[0].object(Status.self, ["status"]).accounts
            #expect(accounts.map(\.label) == ["main", "other"])
            #expect(accounts[1].state == "error")
            #expect(accounts[1].sentence.contains("damaged") && !accounts[1].sentence.contains("kachat-node"))
            let remedy = "`kachat-node --home \(nodes[0].home) account pair --join`"
            for shown in [try nodes[0].run(["status"]), try nodes[0].attempt(["doctor", "--discovery", "lo"]).output] {
                #expect(shown.contains("Move the home away") || shown.contains("→ move the home away"))
                #expect(shown.contains(remedy))
            }
            try nodes[0].run(["import", try fixture.file("chat", Talk(10).lines)])
            try fixture.waitForAgreement([nodes[1]], messages: 10)
            let refused = try nodes[0].attempt(["export", "--account", "other"])
            #expect(refused.status == .exited(1))
            #expect(refused.errorOutput.contains("damaged"))
        }

        /// The only account's file is no longer a database: the node still runs, and says so when asked.
        @Test func aNodeWhoseOnlyStoreIsDamagedExplainsIt() throws {
            let fixture = try Fixture()
            let node = try fixture.node("one")
            let backup = fixture.folder.file("backup")
            try node.run(["import", try fixture.file("chat", Talk(10).lines)])
            let exported = try node.run(["export"])
            try node.run(["backup", backup])
            FileTree.remove(node.home + "/care.json")
            let zones = node.home + "/zones/"
            let name = try #require(FileTree.names(in: zones).first { $0.hasSuffix(".db") })
            try FileTree.write([UInt8](repeating: 7, count: 100_000), to: zones + name)
            try node.start()
            let account = try #require(try node.object(Status.self, ["status"]).accounts.first)
            #expect(account.state == "error" && account.sentence.contains("damaged"))
            #expect(node.log.contains("account-unopened"))
            #expect(try node.run(["status"]).contains("damaged"))
            let doctor = try node.attempt(["doctor", "--discovery", "lo"])
            #expect(doctor.status == .exited(1) && doctor.output.contains("damaged"))
            let refused = try node.attempt(["message", "search", "word"])
            #expect(refused.status == .exited(1) && refused.errorOutput.contains("damaged"))
            // The dashboard opens, and shows the same as status.
            #expect(try node.run(["dashboard", "--no-open"]).contains("http"))
            // No advice fails: a damaged store cannot be backed up, and what is advised instead works.
            #expect(try node.attempt(["backup", backup + "2"]).status == .exited(1))
            for said in [try node.run(["status"]), doctor.output] {
                #expect(!said.contains("backup FILE") && said.contains(" restore FILE"), "\(said)")
            }
            node.stop()
            FileTree.remove(node.home)
            try node.run(["restore", backup])
            #expect(try node.run(["export"]) == exported)
        }

        /// The command that first meets the full disk is told so, as are all later ones.
        @Test func aFullDiskAcknowledgesOnlyWhatItKeeps() throws {
            let fixture = try Fixture()
            let plain = try fixture.node("one")
            let node = try Self.limited(fixture, plain)
            try node.start()
            var acknowledged: Set<String> = []
            var refusal: String?
            for number in 0..<400 where refusal == nil {
                let txid = String(repeating: "0", count: 60) + String(1_000 + number)
                let body = (0..<600).map { "\(number * 7919 + $0 * 104_729)" }.joined(separator: " ")
                let line =
                    #"{"txid": "\#(txid)", "conversationId": "bob", "contact": "bob", "direction": "sent", "#
                    + #""senderTs": 1700000000, "body": "\#(body)"}"#
                let result = try node.attempt(["message", "add"], input: line + "\n")
                if result.status == .exited(0) { acknowledged.insert(txid) } else { refusal = result.errorOutput }
            }
            #expect(refusal?.contains("storage full") == true, "\(refusal ?? "never refused")")
            #expect(acknowledged.count > 10)
            #expect(try acknowledged.isSubset(of: node.exportedTxids()))
            try node.kill()
            try plain.start()
            #expect(try Set(plain.exportedTxids()) == acknowledged)
        }

        /// The same node with the limit set: its program is a script that sets the limit first.
        private static func limited(_ fixture: Fixture, _ node: DrivenNode) throws -> DrivenNode {
            let script = fixture.folder.file("limited")
            let text = "#!/bin/sh\ntrap '' XFSZ\nulimit -S -f 2200\nexec '\(fixture.binary.path)' \"$@\"\n"
            try FileTree.write(Array(text.utf8), to: script)
            chmod(script, 0o700)
            let limited = DrivenNode(NodeBinary(path: script), name: node.name, home: node.home)
            fixture.adopt(limited)
            return limited
        }

        private struct Status: Decodable {
            struct Account: Decodable {
                var label: String
                var state: String
                var sentence: String
                var reason: String?
                var until: Int64?
            }
            var accounts: [Account]
        }

        private static func account(_ node: DrivenNode) throws -> Status.Account {
            try node.object(Status.self, ["status"]).accounts[0]
        }

        /// A message that no other node has.
        private static func own(_ talk: Talk) -> String {
            talk.lines[0].replacing(talk.messages[0].txidHex, with: String(repeating: "ab", count: 32)) + "\n"
        }

        /// Checks that the node refuses to write, says what to do, and still serves what it has.
        private static func expectPause(_ node: DrivenNode, _ talk: Talk, refusal: String, advice: String) throws {
            let refused = try node.attempt(["message", "add"], input: own(talk))
            #expect(refused.status == .exited(1))
            #expect(refused.errorOutput.contains(refusal))
            #expect(try account(node).reason?.contains(advice) == true)
            let conversation = talk.messages[0].conversationID
            #expect(try node.run(["conversation", "list"]).isEmpty == false)
            #expect(try node.run(["message", "list", "--conversation", conversation]).isEmpty == false)
            #expect(try node.exportedTxids().count >= 200)
        }

        /// Checks that the second node, with room again, takes what is missing and its own messages.
        private static func expectAll(_ fixture: Fixture, _ nodes: [DrivenNode], _ talk: Talk) throws {
            try fixture.waitForAgreement(nodes, messages: talk.messages.count)
            #expect(try account(nodes[1]).reason == nil)
            try nodes[1].run(["message", "add"], input: own(talk))
            #expect(try nodes[1].messageCount() == talk.messages.count + 1)
        }
    }
}
