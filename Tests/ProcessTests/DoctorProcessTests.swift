import NodeDriver
import ProcessHarness
import Testing

#if canImport(Glibc)
    import Glibc
#endif

extension ProcessTests {
    /// The findings of `doctor`, and `status`'s reminders of what only the user can fix.
    @Suite struct Doctor {
        private struct Report: Decodable {
            struct Peer: Decodable {
                var deviceId: String
                var foundBy: String?
                var roundTripMicroseconds: Int?
                var clockAheadMilliseconds: Int?
            }
            struct Check: Decodable {
                var check: String
                var state: String
                var text: String
                var advice: String?
                var peers: [Peer]?
            }
            var ok: Bool
            var running: Bool
            var failures: Int
            var checks: [Check]

            func check(_ name: String) -> Check? { checks.first { $0.check == name } }
        }

        private struct Status: Decodable {
            var reminder: String?
            var backupAt: Int?
        }

        private func report(_ node: DrivenNode, _ arguments: [String] = [], exits status: Int32) throws -> Report {
            let result = try node.attempt(["doctor", "--json"] + arguments)
            #expect(result.status == .exited(status), "\(result.output)\(result.errorOutput)")
            return try DrivenNode.decode(Report.self, result.output[...], from: ["doctor"])
        }

        @Test func withoutANodeAndWithoutPeers() throws {
            let fixture = try Fixture()
            let one = try fixture.node("one")
            let found = try report(one, ["--discovery", "lo"], exits: 0)
            #expect(found.ok && !found.running)
            for name in ["home", "identity", "settings", "store", "discovery"] {
                #expect(found.check(name)?.state == "ok", "\(name): \(found.check(name)?.text ?? "missing")")
            }
            for name in ["node", "phrase", "backup"] {
                #expect(found.check(name)?.state == "warning")
                #expect(found.check(name)?.advice?.contains("kachat-node") == true)
            }
            try one.start()
            let alone = try report(one, exits: 0)
            #expect(alone.running)
            #expect(alone.check("peers")?.state == "warning")
            #expect(alone.check("peers")?.text.contains("no other device") == true)
            #expect(alone.check("port")?.state == "ok")
            // The text for people begins with the state and says what to do.
            let shown = try one.run(["doctor"])
            #expect(shown.contains("warning  peers"))
            #expect(shown.contains("→ "))
        }

        @Test func tellsHowPeersWereFoundAndHowFarTheyAre() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("one", "two")
            try fixture.waitForConnections(nodes)
            var found = try report(nodes[0], exits: 0)
            // It does not wait for long; a device that is slow to answer is reported without the time.
            try fixture.wait("the other device has answered in time") {
                if found.check("peers")?.peers?.first?.roundTripMicroseconds != nil { return true }
                found = try report(nodes[0], exits: 0)
                return false
            }
            let peer = try #require(found.check("peers")?.peers?.first)
            #expect(peer.deviceId == (try nodes[1].status().deviceId))
            #expect(peer.foundBy != nil)
            #expect(try #require(peer.roundTripMicroseconds) > 0)
            #expect(abs(try #require(peer.clockAheadMilliseconds)) < 20_000)
            #expect(found.check("clock")?.state == "ok")
            #expect(found.check("discovery")?.text.hasPrefix("lo: multicast returns") == true)
            // Its own probe of the port does not count as a refused connection.
            #expect(found.check("port")?.state == "ok")
            #expect(try nodes[0].run(["status", "--json"]).contains(#""aborted":0"#))
        }

        @Test func brokenPermissionsAreFailuresThatSayWhatToDo() throws {
            let fixture = try Fixture()
            let one = try fixture.node("one")
            chmod(one.home + "/identity", 0o644)
            var found = try report(one, ["--discovery", "lo"], exits: 1)
            #expect(found.check("identity")?.state == "failure")
            #expect(found.check("identity")?.advice == "`chmod 600 \(one.home)/identity`")
            // The other checks ran nevertheless.
            #expect(found.check("discovery")?.state == "ok")
            chmod(one.home + "/identity", 0o600)
            try FileTree.write(Array("{\n  \"archive.mesages\": 2\n}".utf8), to: one.home + "/config.json")
            found = try report(one, ["--discovery", "lo"], exits: 1)
            #expect(found.check("settings")?.text.contains("line 2, column 3") == true)
            let nothing = DrivenNode(fixture.binary, name: "none", home: fixture.folder.file("none"))
            #expect(try report(nothing, ["--discovery", "off"], exits: 1).check("home")?.state == "failure")
            #expect(!FileTree.exists(nothing.home))
        }

        @Test func aDamagedStoreIsFound() throws {
            let fixture = try Fixture()
            let one = try fixture.node("one")
            try one.run(["import", try fixture.file("chat", Talk(2_000).lines)])
            let zones = one.home + "/zones"
            let name = try #require(FileTree.names(in: zones).first { $0.hasSuffix(".db") })
            var bytes = try #require(FileTree.read(zones + "/" + name))
            // Damages a page in the middle, of a table or an index.
            for offset in 0..<16_384 { bytes[bytes.count / 32_768 * 16_384 + offset] = 0xFF }
            try FileTree.write(bytes, to: zones + "/" + name)
            let found = try report(one, ["--discovery", "lo"], exits: 1)
            let store = try #require(found.checks.first { $0.check == "store" && $0.state == "failure" })
            // The error of an account that cannot be opened says what to do.
            let told = store.text + (store.advice ?? "")
            #expect(told.contains("scrub") || told.contains(" restore FILE"), "\(told)")
        }

        /// A namespace whose loopback loses every datagram: what leaves does not return.
        @Test(.enabled(if: canLoseDatagrams, "network namespaces need root, unshare(1), ip(8) and tc(8)"))
        func multicastThatIsBlockedIsAFailure() throws {
            let fixture = try Fixture()
            let one = try fixture.node("one")
            let command = Self.inLossyNamespace([
                fixture.binary.path, "--home", one.home, "doctor", "--discovery", "lo", "--json",
            ])
            let result = try command.run()
            #expect(result.status == .exited(1), "\(result.errorOutput)")
            let found = try DrivenNode.decode(Report.self, result.output[...], from: ["doctor"])
            let discovery = try #require(found.check("discovery"))
            #expect(discovery.state == "failure")
            #expect(discovery.text.contains("multicast leaves and does not return"))
            #expect(discovery.advice?.contains("47767") == true)
        }

        private static func inLossyNamespace(_ words: [String]) -> Command {
            let script = "ip link set lo up && tc qdisc add dev lo root tbf rate 8bit burst 1 limit 1 && exec \"$@\""
            return Command("unshare", ["-n", "sh", "-c", script, "sh"] + words)
        }

        static let canLoseDatagrams = (try? inLossyNamespace(["true"]).run())?.status.isSuccess == true

        @Test func statusRemindsUntilPhraseAndBackupAreThere() throws {
            let fixture = try Fixture()
            let one = try fixture.node("one")
            // Commands are shown only on a terminal.
            let reminder = try #require(try one.object(Status.self, ["status"]).reminder)
            #expect(reminder.contains("write down the recovery phrase") && !reminder.contains("`"))
            #expect(try one.run(["status"]).contains("\(reminder): `kachat-node --home \(one.home) account confirm`, "))
            let words = try one.run(["account", "phrase"]).split(whereSeparator: \.isWhitespace).map(String.init)
            func confirm(_ typed: String) throws -> ProcessHarness.ExitStatus {
                try one.attempt(["account", "confirm", "--words-file", "-"], input: typed).status
            }
            #expect(try confirm("1 no 2 no\n") == .exited(1))
            #expect(try one.object(Status.self, ["status"]).reminder?.contains("phrase") == true)
            #expect(try confirm("7 \(words[6])\n21 \(words[20])\n") == .exited(0))
            let open = try one.object(Status.self, ["status"])
            #expect(open.reminder?.contains("backup") == true)
            #expect(open.reminder?.contains("phrase") == false)
            try one.run(["backup", fixture.folder.file("one.backup")])
            let done = try one.object(Status.self, ["status"])
            #expect(done.reminder == nil)
            #expect(done.backupAt != nil)
            #expect(try !one.run(["status"]).contains("If this device were lost"))
            // A user who typed the phrase in already has it.
            let two = try fixture.node("two")
            #expect(try two.object(Status.self, ["status"]).reminder?.contains("phrase") == false)
        }
    }
}
