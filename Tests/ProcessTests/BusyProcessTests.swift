import Chat
import Gossip
import NodeCore
import NodeDriver
import ProcessHarness
import TestScale
import Testing

extension ProcessTests {
    /// All of a node's sessions are taken.
    @Suite struct Busy {
        private struct Status: Decodable {
            struct Account: Decodable {
                var state: String
                var sentence: String
                var until: Int64?
                var zoneDigest: String
            }
            var accounts: [Account]
        }

        private static let sessions = 64

        /// The phrase of an account that only the node and half of the crowd have: one account has fewer devices than a
        /// node has sessions.
        private static let secondPhrase = Array(repeating: "abandon", count: 11).joined(separator: " ") + " about"

        private func account(_ node: DrivenNode, _ number: Int = 0) throws -> Status.Account {
            try node.object(Status.self, ["status"]).accounts[number]
        }

        /// A node with two accounts that others reach only by its address.
        private func started(_ fixture: Fixture) throws -> DrivenNode {
            let node = try fixture.node("one")
            node.runArguments = ["--discovery", "off", "--listen", "127.0.0.1:0"]
            try node.run(["account", "import", "--label", "second", "--phrase-file", "-"], input: Self.secondPhrase)
            try node.start()
            return node
        }

        /// A device that has completed the handshake.
        private func peer(
            _ fixture: Fixture, _ node: DrivenNode, isSecond: Bool = false
        ) throws -> LyingPeer<AccountZone> {
            let phrase = String(decoding: try #require(FileTree.read(fixture.phraseFile)), as: UTF8.self)
            return try LyingPeer(port: try #require(node.port), phrase: isSecond ? Self.secondPhrase : phrase)
        }

        /// Devices that each have a session with the node, half of them for each account.
        ///
        /// - Parameter agrees: whether they say that they hold the same as the node.
        private func crowd(
            _ fixture: Fixture, _ node: DrivenNode, agrees: Bool = false
        ) throws -> [LyingPeer<AccountZone>] {
            let digests = try (0..<2).map { agrees ? ZoneDigest(hex: try account(node, $0).zoneDigest) : nil }
            let crowd = try (0..<Self.sessions).map { number in
                let isSecond = number >= Self.sessions / 2
                let peer = try peer(fixture, node, isSecond: isSecond)
                try peer.greet(digest: digests[isSecond ? 1 : 0])
                return peer
            }
            try fixture.wait("all have a session") { try node.status().connectedDevices == Self.sessions }
            return crowd
        }

        @Test func whoComesTooManyIsToldUntilWhenToWaitAndComesBack() throws {
            let fixture = try Fixture()
            let (one, two) = (try started(fixture), try fixture.node("two"))
            var crowd = try crowd(fixture, one)
            two.runArguments = one.runArguments + ["--peer", try #require(one.listen)]
            try two.run(["import", try fixture.file("chat", Talk(10).lines)])
            try two.start()
            var waiting = try account(two)
            try fixture.wait("it is told to wait") {
                waiting = try account(two)
                return waiting.sentence.contains(": the other device takes nothing now; it is busy")
            }
            #expect(waiting.state == "waiting")
            #expect(waiting.sentence.hasPrefix("paused until "))
            #expect(waiting.until != nil)
            #expect(try two.messageCount() == 10)
            #expect(try one.status().connectedDevices == Self.sessions, "nobody who still compares gives way")
            // Otherwise an optimised build would release them as soon as they are counted.
            withExtendedLifetime(crowd) {}
            crowd.removeAll()
            // This takes half a minute.
            guard TestScale.proves else { return }
            try fixture.waitForAgreement([one, two], messages: 10)
        }

        /// A removed member still knows the keys of a group's handshake: only HELLO shows who belongs there.
        @Test func aHandshakeAloneTakesNobodysPlace() throws {
            let fixture = try Fixture()
            let one = try started(fixture)
            let digest = try #require(ZoneDigest(hex: try account(one).zoneDigest))
            let crowd = try crowd(fixture, one, agrees: true)
            let silent = try (0..<3).map { _ in try peer(fixture, one) }
            #expect(try one.status().connectedDevices == Self.sessions)
            #expect(!crowd[0].isClosed(within: .milliseconds(100)))
            withExtendedLifetime(silent) {}
            // A HELLO takes one place.
            let newcomer = try peer(fixture, one)
            try newcomer.greet(digest: digest)
            try crowd[0].wait { if case .busy = $0 { true } else { false } }
            #expect(!crowd[1].isClosed(within: .milliseconds(100)))
        }

        /// A peer that holds the same has the least to lose.
        @Test func theOneThatHasAgreedForLongestGivesWay() throws {
            let fixture = try Fixture()
            let (one, two) = (try started(fixture), try fixture.node("two"))
            let crowd = try crowd(fixture, one, agrees: true)
            two.runArguments = one.runArguments + ["--peer", try #require(one.listen)]
            try two.start()
            try fixture.wait("the newcomer has a session") { try two.status().connectedDevices == 1 }
            try crowd[0].wait { if case .busy = $0 { true } else { false } }
            #expect(crowd[0].isClosed())
            #expect(try one.status().connectedDevices == Self.sessions)
            #expect(!crowd[Self.sessions - 1].isClosed(within: .milliseconds(100)))
        }
    }
}
