import CSQLite
import Chat
import NodeCore
import SyncState
import Testing

@testable import Gossip

/// Each state of a zone is entered for its reason, and left when that is over.
@Suite struct ZoneStateTests {
    @Test func aloneItLooksAroundAndIsOfflineThen() throws {
        let bench = try StateBench(knowsAddress: false)
        #expect(bench.state == .idle)
        try bench.pass(.seconds(4))
        #expect(bench.state == .waiting(.offline, until: nil))
        let known = try StateBench()
        try known.pass(.seconds(4))
        guard case .waiting(.offline, let next?) = known.state else {
            // The attempt is under way, so nothing else is planned.
            #expect(known.state == .waiting(.offline, until: nil))
            return
        }
        #expect(next >= known.now)
    }

    @Test func aSessionLeadsToSyncingAndAgreementToSynced() throws {
        let bench = try StateBench()
        try bench.open()
        #expect(bench.state == .syncing)
        try bench.say(.hello(bench.peer.hello(.responder)))
        #expect(bench.state == .syncing)
        try bench.say(.vector(scope: .whole, entries: bench.node.store.vector.map { VectorEntry($0) }))
        #expect(bench.state == .synced)
        try bench.node.accept("news", seed: 1)
        try bench.pass(.zero)
        #expect(bench.state == .syncing, "the peer has not said yet that it holds it")
        try bench.close()
        try bench.pass(.seconds(4))
        guard case .waiting(.offline, _) = bench.state else {
            Issue.record("\(bench.state)")
            return
        }
    }

    /// The peer cannot hold a record that it does not know of.
    @Test func whileSomethingIsQueuedNobodyIsLevel() throws {
        let bench = try StateBench()
        try bench.agree()
        func peer() throws -> (session: SessionID, lane: LaneID, isEqual: Bool) {
            try #require(try bench.served.sync.peers.first)
        }
        #expect(try bench.served.isLevel(peer(), now: bench.now) && bench.served.sync.isCaughtUp)
        let zone = bench.node.zone
        let message = ChatMessage(
            txid: TxID(Bytes32(1, 2, 3, 4)), conversationID: "c", contact: "c", direction: .sent,
            senderTimestamp: 1_700_000_000, status: .pending, body: "news")
        _ = try zone.accept(message, now: bench.now)
        try bench.pass(.zero)
        #expect(zone.chat.queuedCount == 1)
        #expect(try !bench.served.isLevel(peer(), now: bench.now) && !bench.served.sync.isCaughtUp)
        #expect(bench.state == .syncing)
        // It is cut within a second, and then the peer has to say that it holds it.
        try bench.pass(.seconds(1))
        #expect(zone.chat.queuedCount == 0)
        #expect(bench.state == .syncing)
        try bench.say(.vector(scope: .update, entries: bench.node.store.vector.map { VectorEntry($0) }))
        #expect(bench.state == .synced)
        #expect(try bench.served.isLevel(peer(), now: bench.now))
    }

    /// A device shows a row under an unknown root, and keeps saying that it differs, each time in a new way.
    @Test func nobodyIsWaitedForWhoDiffersAndComesNoNearer() throws {
        let bench = try StateBench()
        try bench.agree()
        func look(for seconds: Int) throws {
            for _ in 0..<2 * seconds {
                try bench.pass(.milliseconds(500))
                _ = bench.machine.noteStates(now: bench.now, wall: bench.wall)
            }
        }
        func show(_ seq: UInt64) -> Message { .vector(scope: .update, entries: [bench.peer.entry(seq)]) }
        try look(for: 1)
        var seq: UInt64 = 1
        try bench.say(.have(since: 0, record: bench.peer.unknownRoot(seq).encoded), show(seq))
        #expect(bench.state == .syncing)
        for _ in 0..<29 {
            try look(for: 2)
            seq += 1
            try bench.say(show(seq))
        }
        #expect(bench.state == .syncing)
        try look(for: 3)
        #expect(bench.state == .waiting(.stalled, until: nil))
        #expect(try bench.served.isStalled(bench.peer.lane))
        let peer = try #require(try bench.served.sync.peers.first)
        #expect(try !peer.isEqual && bench.served.isWithholding(peer.session))
        #expect(try !bench.served.isFetchingRecords)
        // It takes the row back and shows it again, or it reconnects.
        let none = Message.vector(scope: .update, entries: [.empty(bench.peer.lane)])
        try bench.say(none)
        #expect(bench.state == .synced)
        try look(for: 1)
        try bench.say(show(seq))
        #expect(bench.state == .waiting(.stalled, until: nil))
        try bench.close()
        try bench.agree()
        try look(for: 1)
        try bench.say(show(seq))
        try look(for: 1)
        #expect(bench.state == .waiting(.stalled, until: nil))
        // A row that it gives is on its way.
        try bench.say(.rows([bench.peer.fact(seq).encoded]))
        try look(for: 1)
        #expect(bench.state == .syncing)
    }

    /// Its entry of the vector does not follow an announcement, so its fingerprint is not known.
    @Test func anAnnouncedRowThatWaitsIsNotHeld() throws {
        let bench = try StateBench()
        try bench.agree()
        try bench.say(.have(since: 0, record: bench.peer.fact(1).encoded))
        #expect(bench.state == .synced)
        let row = bench.peer.unknownRoot(2).encoded
        try bench.say(.have(since: 1, record: row))
        #expect(bench.state == .syncing)
        try bench.say(.page(lane: bench.peer.lane, through: 2, target: 2, isDone: true, rows: [row]))
        #expect(bench.state == .syncing)
        #expect(try bench.served.sync.peers.map(\.isEqual) == [false])
    }

    @Test func aBusyPeerPausesTheZoneUntilItSaid() throws {
        let bench = try StateBench()
        try bench.open()
        try bench.say(.busy(retryAfterMilliseconds: 30_000))
        let until = bench.now + .seconds(30)
        #expect(bench.state == .waiting(.busy, until: until))
        #expect(try bench.dials(within: .seconds(29)) == 0)
        #expect(try bench.dials(within: .seconds(3)) == 1)
    }

    @Test func anotherVersionIsTriedSlowly() throws {
        let bench = try StateBench()
        try bench.open()
        try bench.say(.foreignHello(versions: [1, 2]))
        guard case .waiting(.otherVersion, let until?) = bench.state else {
            Issue.record("\(bench.state)")
            return
        }
        #expect(until >= bench.now + .seconds(300))
        #expect(try bench.served.otherVersions.entries(now: bench.now).map(\.version) == [2])
        #expect(try bench.dials(within: .seconds(290)) == 0)
        // The device was updated, and comes back.
        try bench.agree()
        #expect(bench.state == .synced)
        #expect(try bench.served.otherVersions.entries(now: bench.now).isEmpty)
    }

    /// The device dialled this node: its version is shown, and nothing it says is stored.
    @Test func anotherVersionThatDialsIsNoted() throws {
        let bench = try StateBench(knowsAddress: false)
        let digest = bench.node.store.digest
        let from = SocketAddress(ipv4: 0x7f00_0001, port: 5_555)
        _ = bench.machine.onOpened(
            bench.session, place: bench.zone, isInitiator: false, handshakeHash: SyncBench.hash, address: from,
            now: bench.now)
        _ = bench.machine.takeActions()
        try bench.say(.foreignHello(versions: [2, 5, 4]), .hello(bench.peer.hello()))
        let said = bench.machine.takeActions().compactMap { action -> [UInt8]? in
            if case .send(bench.session, let bytes, _) = action { bytes } else { nil }
        }
        #expect(said == [Message.foreignHello(versions: [3]), .bye(.otherVersion)].map(\.encoded))
        let entries = try bench.served.otherVersions.entries(now: bench.now)
        #expect(entries.map(\.version) == [5])
        #expect(entries.map(\.address) == [from.with(port: 0)])
        #expect(bench.node.store.digest == digest)
        #expect(try bench.served.sync.peers.isEmpty)
        #expect(try bench.dials(within: .seconds(600)) == 0)
    }

    @Test func aBlobThatNobodyHasIsWaitedFor() throws {
        let bench = try StateBench()
        try bench.agree()
        let record = bench.peer.fact(1, blob: [UInt8](repeating: 1, count: 900))
        bench.machine.onMessage(
            Message.have(since: 0, record: record.encoded).encoded, session: bench.session, now: bench.now)
        // The blob is asked for at the end of the turn.
        #expect(bench.state == .syncing)
        try bench.pass(.zero)
        #expect(bench.state == .syncing)
        try bench.say(.missing(.recent))
        guard case .waiting(.absentBlobs, let until?) = bench.state else {
            Issue.record("\(bench.state)")
            return
        }
        #expect(until > bench.now)
        #expect(try !bench.served.sync.isCaughtUp)
        // The records are the same, but the peer said that it does not hold everything.
        let peer = try #require(try bench.served.sync.peers.first)
        #expect(peer.isEqual)
        #expect(try bench.served.sync.isLacking(peer.session, now: bench.now))
        #expect(try !bench.served.isLevel(peer, now: bench.now))
        #expect(try !bench.served.sync.isLacking(peer.session, now: bench.now + .seconds(60)))
    }

    @Test(
        arguments: [
            (SQLITE_FULL, ZoneState.Obstacle.storageFull), (SQLITE_IOERR, .store), (SQLITE_CORRUPT, nil),
        ] as [(Int32, ZoneState.Obstacle?)])
    func aStoreThatFailsIsTriedAgain(code: Int32, obstacle: ZoneState.Obstacle?) throws {
        let bench = try StateBench()
        try bench.agree()
        bench.machine.onStoreFailed(DatabaseError(code: code, message: "as a test says"), zone: bench.zone)
        try bench.pass(.zero)
        if let obstacle {
            #expect(bench.state == .waiting(obstacle, until: bench.now + .seconds(5)))
        } else {
            #expect(bench.state == .error)
        }
        #expect(try bench.dials(within: .seconds(4)) == 0)
        try bench.pass(.seconds(2))
        #expect(try bench.served.failure == nil)
        #expect(bench.state != .error)
    }

    /// The replies would rest on data that was not stored.
    @Test func theMessagesOfATurnThatFailsAreNotSent() throws {
        for isFailing in [false, true] {
            let bench = try StateBench()
            _ = bench.machine.onOpened(
                bench.session, place: bench.zone, isInitiator: false, handshakeHash: SyncBench.hash,
                address: bench.address, now: bench.now)
            _ = bench.machine.takeActions()
            let hello = Message.hello(bench.peer.hello()).encoded
            bench.machine.onMessage(hello, session: bench.session, now: bench.now)
            if isFailing {
                let failed = DatabaseError(code: SQLITE_IOERR, message: "as a test says")
                bench.machine.onStoreFailed(failed, zone: bench.zone)
            }
            try bench.pass(.zero)
            let said = bench.machine.takeActions().compactMap { action -> [UInt8]? in
                if case .send(bench.session, let bytes, _) = action { bytes } else { nil }
            }
            #expect(isFailing ? said == [Message.bye(.shutdown).encoded] : said.count > 1)
        }
    }

    /// On a disk where a small write fits and a batch does not, the batch is not fetched every five seconds.
    @Test func aStoreThatFailsAgainRestsLonger() throws {
        let bench = try StateBench()
        try bench.agree()
        var rests: [Duration] = []
        for calm in [0, 1, 1, 1, 1, 100] as [Int64] {
            try bench.pass(.seconds(calm))
            let full = DatabaseError(code: SQLITE_FULL, message: "as a test says")
            bench.machine.onStoreFailed(full, zone: bench.zone)
            try bench.pass(.zero)
            let until = try #require(try bench.served.restsUntil)
            rests.append(until - bench.now)
            try bench.pass(until - bench.now)
            #expect(try bench.served.failure == nil)
        }
        #expect(rests == [5, 10, 20, 40, 40, 5].map { .seconds($0) })
    }

    @Test func sinceTellsWhenItCameToBeSo() throws {
        let bench = try StateBench()
        let machine = bench.machine
        #expect(machine.noteStates(now: bench.now, wall: bench.wall) == [bench.zone])
        try bench.agree()
        #expect(machine.noteStates(now: bench.now, wall: bench.wall) == [bench.zone])
        let since = bench.wall
        try bench.pass(.seconds(20))
        #expect(machine.noteStates(now: bench.now, wall: bench.wall).isEmpty)
        #expect(try bench.served.stateSince == since)
    }

    @Test func whatADeviceHeldIsRemembered() throws {
        let bench = try StateBench()
        try bench.agree()
        _ = bench.machine.noteStates(now: bench.now, wall: bench.wall)
        #expect(try bench.node.store.peerNote(bench.peer.lane)?.level == bench.wall)
        try bench.pass(.seconds(30))
        _ = bench.machine.noteStates(now: bench.now, wall: bench.wall)
        // The peer was level until now, and leaves.
        try bench.close()
        _ = bench.machine.noteStates(now: bench.now, wall: bench.wall)
        let note = try #require(try bench.node.store.peerNote(bench.peer.lane))
        #expect(note.seen == bench.wall)
        #expect(note.level == bench.wall)
        try bench.pass(.seconds(300))
        _ = bench.machine.noteStates(now: bench.now, wall: bench.wall)
        #expect(try bench.node.store.peerNote(bench.peer.lane) == note)
    }

    /// The peer was level at the last look. What it lacks changed since then, at an unknown time.
    @Test func whoFallsBehindWasLevelWhenThatWasSeen() throws {
        let bench = try StateBench()
        try bench.agree()
        _ = bench.machine.noteStates(now: bench.now, wall: bench.wall)
        let seen = bench.wall
        try bench.pass(.seconds(5))
        let record = bench.peer.fact(1, blob: [UInt8](repeating: 1, count: 900))
        try bench.say(.have(since: 0, record: record.encoded))
        try bench.say(.missing(.recent))
        let peer = try #require(try bench.served.sync.peers.first)
        #expect(try !bench.served.isLevel(peer, now: bench.now))
        _ = bench.machine.noteStates(now: bench.now, wall: bench.wall)
        #expect(try bench.served.peerNote(bench.peer.lane)?.level == seen)
        try bench.close()
        _ = bench.machine.noteStates(now: bench.now, wall: bench.wall)
        #expect(try bench.served.peerNote(bench.peer.lane)?.level == seen)
    }
}
