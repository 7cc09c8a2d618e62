import Chat
import Gossip
import Ledger
import NodeCore
import NodeDriver
import ProcessHarness
import SampleData
import SyncState
import Testing
import Transport

#if canImport(Glibc)
    import Glibc
#endif

extension ProcessTests {
    /// What a node says about itself; each sentence is caused by what it describes.
    @Suite struct States {
        struct Status: Decodable {
            struct Account: Decodable {
                struct Device: Decodable {
                    var name: String?
                    var thisDevice: Bool
                    var connected: Bool
                    var level: Bool
                    var seenAt: Int64?
                    var holdsUpTo: Int64?
                    var holdsPercent: Int?
                }
                var state: String
                var sentence: String
                var reason: String?
                var since: Int64?
                var until: Int64?
                var update: String?
                var devices: [Device]
            }
            var accounts: [Account]
        }

        private static func account(_ node: DrivenNode) throws -> Status.Account {
            try node.object(Status.self, ["status"]).accounts[0]
        }

        private static func phrase(_ fixture: Fixture) throws -> String {
            String(decoding: try #require(FileTree.read(fixture.phraseFile)), as: UTF8.self)
        }

        @Test func aNodeAloneIsOfflineAndOneWithOthersNamesThoseNotSeen() throws {
            let fixture = try Fixture()
            let nodes = try [fixture.node("one"), fixture.node("two")]
            nodes[0].runArguments = ["--discovery", "off", "--listen", "127.0.0.1:0"]
            try nodes[0].start()
            var alone = try Self.account(nodes[0])
            try fixture.wait("it is offline") {
                alone = try Self.account(nodes[0])
                return alone.state == "waiting"
            }
            #expect(alone.sentence == "alone; will sync when another device of the account is in reach")
            #expect(alone.reason == alone.sentence)
            #expect(alone.since != nil)

            nodes[1].runArguments += ["--peer", try #require(nodes[0].listen)]
            try nodes[1].start()
            try fixture.wait("both are in sync") { try nodes.allSatisfy { try Self.account($0).state == "synced" } }
            var met = try Self.account(nodes[0])
            try fixture.wait("each is known to hold all") {
                met = try Self.account(nodes[0])
                return met.state == "synced" && met.devices.allSatisfy { $0.level }
            }
            #expect(met.reason == nil)
            #expect(met.sentence == "caught up with 1 device in reach")
            #expect(met.devices.map(\.name) == ["one", "two"])
            #expect(met.devices.map(\.level) == [true, true])

            let third = try fixture.node("three")
            third.runArguments += ["--peer", try #require(nodes[0].listen)]
            try third.start()
            try fixture.waitForConnections([nodes[0], third])
            nodes[1].stop()
            try fixture.wait("the one that left is named") {
                let account = try Self.account(nodes[0])
                return account.state == "synced" && account.sentence.contains("not seen: two (since ")
            }
            let two = try #require(try Self.account(nodes[0]).devices.first { $0.name == "two" })
            #expect(!two.connected)
            #expect(two.holdsUpTo != nil)
            // `device list` says the same in its own words.
            struct Listed: Decodable {
                var name: String?
                var lastSeenAt: Int64?
                var holdsUpTo: Int64?
            }
            let listed = try nodes[0].objects(Listed.self, ["device", "list"]).first { $0.name == "two" }
            #expect(listed?.holdsUpTo == two.holdsUpTo && listed?.lastSeenAt == two.seenAt)
            // It survives a restart.
            nodes[0].stop()
            #expect(try Self.account(nodes[0]).devices.first { $0.name == "two" }?.holdsUpTo == two.holdsUpTo)
            #expect(two.holdsPercent == 100)
            // A queued message is nowhere else.
            try nodes[0].run(["message", "add"], input: Talk(1).lines[0] + "\n")
            #expect(try Self.account(nodes[0]).devices.first { $0.name == "two" }?.holdsPercent == 99)
        }

        @Test func aDeviceOfANewerVersionIsNamed() throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            let root = AccountSigner(seed: try Mnemonic(phrase: Self.phrase(fixture)).seed()).keys.firstRoot
            var random = SystemRandom()
            let now = SystemClock().now()
            let session = SessionMachine(
                initiatorWith: DoorKeys(discovery: root.discovery, psk: root.session),
                random: &random, now: now)
            session.enqueue(Message.foreignHello(versions: [4, 5]).encoded, priority: .control)
            let probe = try TCPProbe(port: try #require(node.port))
            var said: [[UInt8]] = []
            let deadline = Deadline(after: Deadline.patience)
            while said.count < 2, !deadline.hasPassed {
                var output = OutputBuffer()
                session.drain(upTo: 1 << 20, into: &output)
                _ = probe.send(output.withUnsafeBytes { Array($0) })
                for case .message(let bytes) in session.receive(
                    probe.receive(within: .milliseconds(50)), now: SystemClock().now())
                {
                    said.append(bytes)
                }
            }
            #expect(said == [Message.foreignHello(versions: [3]), .bye(.otherVersion)].map(\.encoded))
            try fixture.wait("it says what to update") {
                try Self.account(node).update?.hasPrefix("update kachat-node on this device") == true
            }
            let account = try Self.account(node)
            #expect(account.state == "waiting")
            #expect(account.sentence == account.update)
            #expect(node.log.contains("other-version"))
        }

        /// The last blob comes late, and the command does not return before it.
        @Test func syncWaitReturnsWithTheLastBlobAndNotBefore() throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            let peer = try LyingPeer(port: try #require(node.port), phrase: try Self.phrase(fixture))
            let record = try #require(try peer.giveRecordsWithoutBlobs(1).first)

            let command = try ChildProcess(
                fixture.binary.command(home: node.home, ["sync", "--wait", "--timeout", "60", "--json"]))
            // Everything is answered except the blob.
            try peer.wait { if case .ping = $0 { true } else { false } }
            peer.send(.pong(wallMilliseconds: nil))
            for _ in 0..<10 {
                peer.listen(for: .milliseconds(50))
                #expect(try node.status().account?.caughtUp == false)
                #expect(throws: HarnessError.self) { try command.wait(within: .zero) }
            }
            try peer.give(record)
            #expect(try command.wait() == .exited(0))
            #expect(try node.status().account?.caughtUp == true)
        }

        /// A record is here, and the device with its blob is not.
        @Test func whatNobodyHereHasIsWaitedFor() throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            let peer = try LyingPeer(port: try #require(node.port), phrase: try Self.phrase(fixture))
            try peer.giveRecordsWithoutBlobs(1)
            peer.listen(for: .milliseconds(200))
            try peer.holdAll()
            var account = try Self.account(node)
            try fixture.wait("it says what it waits for") {
                peer.listen(for: .milliseconds(50))
                peer.lackAll()
                account = try Self.account(node)
                return account.sentence.hasSuffix("that no connected device has")
            }
            #expect(account.state == "waiting")
            // The only device that could be named wrote it, is connected, and says that it lacks it.
            #expect(account.sentence.hasPrefix("waiting for a device that has them"))
            #expect(account.until != nil)
        }

        /// The key file is taken away, made readable to others, and replaced.
        @Test func anIdentityThatIsLockedStopsTheSyncUntilItIsBack() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("one", "two")
            let other = try fixture.stranger()
            try fixture.waitForConnections(nodes)
            let node = nodes[0]
            let path = node.home + "/identity"
            let identity = try #require(FileTree.read(path))
            var talk = Talk(40).lines[...]
            for lock in [
                { unlink(path) }, { chmod(path, 0o644) },
                { rename(other.home + "/identity", path) },
            ] {
                #expect(lock() == 0)
                let refused = try node.attempt(["sync", "--now"])
                #expect(refused.status == .exited(1))
                #expect(refused.errorOutput.contains("unlock this node"))
                let account = try Self.account(node)
                #expect(account.state == "error")
                #expect(account.sentence.hasPrefix("unlock this node: "))
                #expect(account.sentence.contains(path))
                try fixture.wait("the session ends") { try nodes[1].status().connectedDevices == 0 }
                // Local work continues, except what changes the identity.
                try node.run(["import", try fixture.file("own", Array(talk.prefix(5)))])
                talk = talk.dropFirst(5)
                #expect(try node.attempt(["account", "create", "--label", "new"]).status == .exited(1))
                #expect(try nodes[1].status().connectedDevices == 0)

                try FileTree.write(identity, to: path)
                chmod(path, 0o600)
                try fixture.waitForAgreement(nodes, messages: 40 - talk.count)
                try fixture.wait("it is in sync") { try Self.account(node).state == "synced" }
            }
            #expect(node.log.contains("identity-locked"))
            #expect(node.log.contains("identity-back"))
        }

        @Test func aStoreOfANewerVersionAndABadIdentitySayWhatToDo() throws {
            let fixture = try Fixture()
            let node = try fixture.node("one")
            let name = try #require(FileTree.names(in: node.home + "/zones").first { $0.hasSuffix(".db") })
            do {
                let database = try Database(path: node.home + "/zones/" + name)
                try database.execute("INSERT INTO migration(component, number, name) VALUES('zone', 99, 'later')")
            }
            // The account rests; the node reports it, and serves its other accounts.
            #expect(try node.run(["status"]).contains("update kachat-node"))
            let newer = try node.attempt(["conversation", "list"])
            #expect(newer.status == .exited(1))
            #expect(newer.errorOutput.contains("update kachat-node"))

            try FileTree.write([1, 2, 3], to: node.home + "/identity")
            let bad = try node.attempt(["status"])
            #expect(bad.status == .exited(1))
            #expect(bad.errorOutput.contains("identity"))
        }

        @Test func aMessageTellsWhereItIsAndHowItCame() throws {
            struct Explanation: Decodable {
                struct Copy: Decodable {
                    var place: String
                    var shown: Bool
                    var own: Bool
                    var device: String
                    var from: String?
                    var arrivedAt: Int64?
                    var heldBy: [String]
                }
                var status: String
                var copies: [Copy]
            }
            let fixture = try Fixture()
            let nodes = try [fixture.node("one"), fixture.node("two")]
            // With another device connected, it would not stay in the queue for long.
            try nodes[0].start()
            let talk = Talk(60, conversations: 3)
            try nodes[0].run(["message", "add"], input: talk.lines[0] + "\n")
            let txid = talk.messages[0].txidHex
            let queued = try nodes[0].object(Explanation.self, ["explain", txid])
            #expect(queued.copies.map(\.place) == ["queue"])
            try nodes[0].run(["import", try fixture.file("chat", talk.lines)])
            try nodes[1].start()
            try fixture.waitForAgreement(nodes, messages: 60)
            var here = try nodes[0].object(Explanation.self, ["explain", txid])
            #expect(here.copies.map(\.from) == ["written here"])
            try fixture.wait("the other is known to hold it") {
                here = try nodes[0].object(Explanation.self, ["explain", txid])
                return here.copies.map(\.heldBy) == [["two"]]
            }
            let there = try nodes[1].object(Explanation.self, ["explain", txid])
            #expect(there.status == "held")
            #expect(there.copies.map(\.device) == ["one"])
            #expect(there.copies.map(\.from) == ["one"])
            #expect(there.copies[0].arrivedAt != nil)
            #expect(try nodes[1].attempt(["explain", String(repeating: "0", count: 64)]).status == .exited(5))

            struct Shares: Decodable {
                struct Share: Decodable {
                    var device: String
                    var messages: Int
                }
                var messages: Int
                var segments: [Share]
            }
            let conversation = talk.messages[0].conversationID
            let count = talk.messages.count { $0.conversationID == conversation }
            let shares = try nodes[1].object(Shares.self, ["explain", conversation])
            #expect(shares.messages == count)
            #expect(shares.segments.map(\.device) == ["one"])
            #expect(shares.segments[0].messages == count)

            try nodes[0].run(["message", "delete", txid, "--yes"])
            #expect(try nodes[0].object(Explanation.self, ["explain", txid]).status == "deleted")
            #expect(try nodes[0].run(["explain", txid]).hasPrefix("It was deleted on all devices"))
            let shown = try nodes[0].attempt(["message", "show", txid])
            #expect(shown.status == .exited(5))
            #expect(shown.errorOutput.contains("message deleted` shows what can be restored"))
            struct Hinted: Decodable {
                var result: String
            }
            #expect(try nodes[0].object(Hinted.self, ["message", "hint", "--txid", txid]).result == "deleted")
        }

        /// A bug report is public.
        @Test func diagnosticsTellNothingOfThePerson() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("annas-laptop", "annas-phone")
            let talk = Talk(300)
            try nodes[0].run(["import", try fixture.file("chat", talk.lines)])
            try fixture.waitForAgreement(nodes, messages: 300)
            let status = try nodes[0].status()
            var secrets = Set(talk.messages.flatMap { [$0.conversationID, $0.txidHex, $0.contact, $0.body] })
            secrets.formUnion(["annas-", "127.0.0.1", status.deviceId, try #require(status.account).accountId])
            let words = try Self.phrase(fixture).split(whereSeparator: \.isWhitespace).map(String.init)
            secrets.insert(words[0...1].joined(separator: " "))
            for arguments in [["diagnostics"], ["diagnostics", "--json"]] {
                let report = try nodes[0].run(arguments)
                #expect(report.contains("recordsTaken"))
                for secret in secrets where secret.count > 3 {
                    #expect(!report.contains(secret), "\(arguments) shows `\(secret.prefix(40))`")
                }
            }
        }
    }
}
