import Chat
import Gossip
import NodeCore
import NodeDriver
import ProcessHarness
import SampleData
import SyncState
import Testing

extension ProcessTests {
    /// Peers that have the keys and break the rules: refused, named once, and the others' sync continues.
    @Suite struct Liars {
        struct Status: Decodable {
            struct Refused: Decodable {
                var strangers: Int
                var records: Int
                var blobs: Int
            }
            var refused: Refused
        }

        @Test func nothingOfThemIsTakenAndSyncGoesOn() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("one", "two")
            try fixture.waitForConnections(nodes)
            let port = try #require(nodes[0].port)
            let phrase = String(decoding: try #require(FileTree.read(fixture.phraseFile)), as: UTF8.self)

            for _ in 0..<2 { try babble(LyingPeer(port: port, phrase: phrase)) }
            try pageNobodyAskedFor(LyingPeer(port: port, phrase: phrase))
            try recordThatDoesNotOpen(LyingPeer(port: port, phrase: phrase))
            try fixture.wait("the bad record is counted") {
                try nodes[0].object(Status.self, ["status"]).refused.records == 1
            }
            try blobThatDoesNotMatch(LyingPeer(port: port, phrase: phrase))
            try fixture.wait("the bad blob is counted") {
                try nodes[0].object(Status.self, ["status"]).refused.blobs == 1
            }

            let talk = Talk(300)
            try nodes[1].run(["import", try fixture.file("chat", talk.lines)])
            try fixture.wait("both hold what is true") {
                try nodes.allSatisfy { try $0.messageCount() == 300 }
            }
            let log = nodes[0].log.split(separator: "\n")
            #expect(log.count { $0.contains("bad-record") } == 1)
            #expect(log.count { $0.contains("bad-blob") } == 1)
            #expect(log.count { $0.contains("peer-violation") } == 2, "each kind once")
        }

        /// A node's own HELLO, reflected to it, opens nothing: it is no device, and nobody starts afresh.
        @Test func aHelloThatIsGivenBackOpensNothing() throws {
            let fixture = try Fixture()
            let node = try fixture.node("one")
            let phrase = String(decoding: try #require(FileTree.read(fixture.phraseFile)), as: UTF8.self)
            let peers = try (0..<3).map { number in
                try ReflectingPeer(phrase: phrase) { hello in
                    if number > 0 { hello.body.instance = InstanceID(Bytes16(1, UInt64(number))) }
                }
            }
            for peer in peers { node.runArguments += ["--peer", peer.address] }
            try node.start()
            let device = try node.status().deviceId
            for peer in peers { try peer.work { if case .bye(.violation) = $0 { true } else { false } } }
            #expect(try node.status().deviceId == device)
            #expect(try node.status().connectedDevices == 0)
            #expect(!node.log.contains("started-afresh"))
            #expect(try node.object(Status.self, ["status"]).refused.strangers >= peers.count)
        }

        /// Nor does its HELLO from another session, to itself or to another device of the account.
        @Test func aHelloOfAnotherSessionOpensNothing() throws {
            let fixture = try Fixture()
            let (one, two) = (try fixture.node("one"), try fixture.node("two"))
            let phrase = String(decoding: try #require(FileTree.read(fixture.phraseFile)), as: UTF8.self)
            var heard: [Hello] = []
            let listener = try ReflectingPeer(phrase: phrase) { hello in heard.append(hello) }
            one.runArguments += ["--peer", listener.address]
            for node in [one, two] { try node.start() }
            try fixture.waitForConnections([one, two])
            let device = try one.status().deviceId
            try listener.work { if case .bye(.violation) = $0 { true } else { false } }
            for node in [two, one] {
                let peer = try LyingPeer(port: try #require(node.port), phrase: phrase)
                peer.send(.hello(try #require(heard.first)))
                #expect(peer.isClosed())
                #expect(try node.object(Status.self, ["status"]).refused.strangers > 0)
            }
            #expect(try one.status().deviceId == device && !one.log.contains("started-afresh"))
            #expect(try two.status().connectedDevices == 1)
        }

        /// Each question of 100 bytes makes the node read 1,024 rows, and it still has time for others.
        @Test func manyQuestionsKeepNobodyWaiting() throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            let phrase = String(decoding: try #require(FileTree.read(fixture.phraseFile)), as: UTF8.self)
            let peer = try LyingPeer(port: try #require(node.port), phrase: phrase)
            try peer.greet()
            try peer.compare()
            let count: UInt64 = 30_000
            try peer.giveRows(Int(count))
            peer.ask(from: count - 1, through: count, count: 1)
            try peer.wait { if case .keys(_, _, _, let keys) = $0 { !keys.isEmpty } else { false } }
            for number in 0..<3_000 as Range<UInt64> {
                let chunk = number % (count / SyncState.Limits.chunkSeqs) * SyncState.Limits.chunkSeqs
                peer.ask(from: chunk, through: chunk + SyncState.Limits.chunkSeqs - 1, count: count)
            }
            var longest = Duration.zero
            for _ in 0..<20 {
                longest = max(longest, try ContinuousClock().measure { _ = try node.status() })
            }
            print("the longest of 20 answers took \(longest)")
            try peer.wait { if case .ranges(_, let parts) = $0 { parts.count == 16 } else { false } }
            #expect(!peer.isClosed(within: .zero))
        }

        /// Sends bytes that are no message, which end the session.
        private func babble(_ peer: LyingPeer<AccountZone>) throws {
            try peer.greet()
            peer.send([0xFF, 0xFF, 0xFF])
            #expect(peer.isClosed())
        }

        private func pageNobodyAskedFor(_ peer: LyingPeer<AccountZone>) throws {
            try peer.greet()
            peer.send(.page(lane: peer.zone.lane, through: 9, target: 9, isDone: true, rows: []))
            #expect(peer.isClosed())
        }

        private func recordThatDoesNotOpen(_ peer: LyingPeer<AccountZone>) throws {
            var random = SystemRandom()
            try peer.greet()
            try peer.compare()
            let header = RecordHeader(
                lane: peer.zone.lane, seq: 1, slot: random.identifier(), kind: .immutable,
                keyVersion: peer.zone.sealer.keyVersion)
            let record = Record(
                header: header, blob: nil, sealedMeta: random.bytes(80), zone: peer.zone.zone,
                signedBy: peer.zone.store.device.signing)
            peer.send(.have(since: 0, record: record.encoded))
        }

        /// Gives a correct record with wrong bytes for its blob.
        private func blobThatDoesNotMatch(_ peer: LyingPeer<AccountZone>) throws {
            try peer.zone.opaque.add(name: "thing", [UInt8](repeating: 1, count: 5000))
            try peer.zone.commit()
            let written = try #require(peer.zone.store.takeWritten().last)
            try peer.greet()
            try peer.compare()
            peer.send(.have(since: 0, record: written.record.encoded))
            try peer.wait { if case .want(.recent, _) = $0 { true } else { false } }
            peer.send(.blob(.recent, ArraySlice(repeating: 2, count: written.record.blob?.sizeBytes ?? 0)))
            #expect(peer.isClosed())
        }
    }
}
