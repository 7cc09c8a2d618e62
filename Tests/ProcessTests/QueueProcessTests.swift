import NodeDriver
import ProcessHarness
import Testing

extension ProcessTests {
    /// Messages that an app has given and that are not in a segment yet.
    @Suite struct Queue {
        struct Status: Decodable {
            struct Account: Decodable {
                struct Device: Decodable {
                    var thisDevice: Bool
                    var level: Bool
                }
                var state: String
                var sentence: String
                var verdict: String
                var summary: String
                var messages: Int
                var queued: Int
                var segments: Int
                var caughtUp: Bool
                var devices: [Device]
            }
            struct Peer: Decodable {
                var state: String
                var synced: Bool?
            }
            var accounts: [Account]
            var peers: [Peer]
        }

        private static func line(_ number: Int, conversation: String = "bob") -> String {
            let txid = String(repeating: "0", count: 60) + String(1_000 + number)
            return "{\"txid\":\"\(txid)\",\"conversationId\":\"\(conversation)\",\"contact\":\"bob\","
                + "\"direction\":\"sent\",\"senderTs\":1700000000,\"body\":\"news \(number)\"}\n"
        }

        private static func status(_ node: DrivenNode) throws -> Status { try node.object(Status.self, ["status"]) }
        private static func account(_ node: DrivenNode) throws -> Status.Account {
            try #require(try status(node).accounts.first)
        }

        private func met(_ fixture: Fixture) throws -> [DrivenNode] {
            let nodes = try fixture.started("one", "two")
            try fixture.waitForConnections(nodes)
            try fixture.waitForAgreement(nodes, messages: 0)
            return nodes
        }

        @Test func whatIsAddedReachesAConnectedDeviceByItself() throws {
            let fixture = try Fixture()
            let nodes = try met(fixture)
            for number in 0..<12 { try nodes[0].run(["message", "add"], input: Self.line(number)) }
            // This is far below the five minutes that it would wait without the other device.
            try fixture.wait("the other has them", within: .seconds(60)) { try nodes[1].messageCount() == 12 }
            try fixture.waitForAgreement(nodes, messages: 12)
            #expect(try Self.account(nodes[0]).segments <= 12)
        }

        /// Nothing claims that others hold everything while the queue of a node is not empty.
        @Test func whileSomethingIsQueuedNothingSaysThatAllIsHeld() throws {
            let fixture = try Fixture()
            let nodes = try met(fixture)
            // Each message delays the end of the burst, so that some of the looks fall into it.
            let api = try APIClient(nodes[0], scopes: "admin")
            var seen = 0
            for number in 0..<200 where seen < 5 {
                #expect(try api.send("POST", "/v1/messages", body: Self.line(number)).status == 200)
                let status = try api.get("/v1/status").json(Status.self)
                let account = try #require(status.accounts.first)
                guard account.queued > 0 else { continue }
                seen += 1
                #expect(!account.caughtUp && account.verdict == "syncing")
                #expect(account.state == "syncing" && account.sentence.hasSuffix("still to be sent"))
                #expect(account.summary.hasSuffix("still to be sent to the other device"))
                #expect(account.devices.filter { !$0.thisDevice }.map(\.level) == [false])
                #expect(status.peers.filter { $0.state == "connected" }.allSatisfy { $0.synced == false })
            }
            #expect(seen == 5)
        }

        @Test func syncWaitEndsWhenTheOthersHaveWhatWasQueued() throws {
            let fixture = try Fixture()
            let nodes = try met(fixture)
            for number in 0..<5 {
                try nodes[0].run(["message", "add"], input: Self.line(number))
                try nodes[0].run(["sync", "--wait", "--timeout", "120"])
                #expect(try nodes[1].messageCount() == number + 1)
                #expect(try Self.account(nodes[0]).queued == 0)
            }
            try nodes[0].run(["message", "add"], input: Self.line(5).replacing("\"sent\"", with: "\"received\""))
            try nodes[0].run(["sync", "--wait", "--timeout", "120"])
            #expect(try nodes[1].status().account?.unread == 1)
            // A read mark would wait until its user has read nothing for a while.
            try nodes[0].run(["read", "mark", "bob"])
            try nodes[0].run(["sync", "--wait", "--timeout", "120"])
            #expect(try nodes[1].status().account?.unread == 0)
        }

        @Test func aloneItSaysThatTheMessageIsHereOnlyUntilTheOtherComes() throws {
            let fixture = try Fixture()
            let nodes = try met(fixture)
            nodes[1].stop()
            try fixture.wait("it is alone") { try nodes[0].status().connectedDevices == 0 }
            try nodes[0].run(["message", "add"], input: Self.line(1))
            let alone = try Self.account(nodes[0])
            #expect(alone.queued == 1 && !alone.caughtUp && alone.state != "synced" && alone.verdict == "offline")
            #expect(alone.summary == "1 message still to be sent to the other device")
            #expect(try nodes[0].attempt(["sync", "--wait", "--timeout", "1"]).status == .exited(6))
            let doctor = try nodes[0].run(["doctor", "--discovery", "lo"])
            #expect(doctor.contains("not on all devices: 1 message still to be sent to the other device"))
            // No flush is needed: it is enough that the other device comes.
            try nodes[1].start()
            try fixture.waitForAgreement(nodes, messages: 1)
            #expect(try Self.account(nodes[0]).summary == "both devices hold everything")
            #expect(try Self.account(nodes[0]).verdict == "upToDate")
        }

        @Test func aForegroundAndASyncSendWhatIsQueued() throws {
            let fixture = try Fixture()
            let nodes = try met(fixture)
            try nodes[0].run(["background"])
            try nodes[0].run(["message", "add"], input: Self.line(1))
            #expect(try !Self.account(nodes[0]).caughtUp)
            try nodes[0].run(["foreground"])
            try fixture.waitForAgreement(nodes, messages: 1)
            try nodes[0].run(["message", "add"], input: Self.line(2))
            try nodes[0].run(["sync"])
            #expect(try Self.account(nodes[0]).queued == 0)
        }
    }
}
