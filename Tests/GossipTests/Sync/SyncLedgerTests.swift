import Chat
import ChatTestKit
import Ledger
import NodeCore
import SyncState
import Testing

@testable import Gossip

/// Both ends of a session make their ledgers equal before anything else (docs/PROTOCOL.md, §5.1 and §7.3).
@Suite struct SyncLedgerTests {
    private static let id = SessionID(1)

    private func remove(_ peer: ScriptedPeer) -> LedgerRecord {
        SyncBench.account.remove([peer.lane], heads: [peer.enter.hash])
    }

    private func lanes(_ node: SyncBench) -> Set<LaneID> { Set(node.zone.membership.state.standingLanes.map(\.lane)) }

    @Test func twoDevicesThatNeverMetBelongToOneAccount() throws {
        let (phone, laptop) = (try SyncBench(1), try SyncBench(2))
        try phone.accept("hello", seed: 1)
        try phone.meet(laptop, Self.id)
        #expect(lanes(phone) == lanes(laptop))
        #expect(lanes(phone).isSuperset(of: [phone.zone.lane, laptop.zone.lane]))
        #expect(try laptop.zone.chat.stats().messages == 1)
        #expect(phone.zone.membership.records.digest == laptop.zone.membership.records.digest)
    }

    /// One device can write more records than a message can name.
    @Test func aLedgerOfThousandsIsMadeEqualInParts() throws {
        let (phone, laptop) = (try SyncBench(1), try SyncBench(2))
        var records: [LedgerRecord] = []
        for number in 3..<60 as Range<UInt8> {
            let (signing, enter) = (ScriptedPeer(number).device.signing, ScriptedPeer(number).enter)
            records.append(enter)
            var prev = enter.hash
            for count in 1..<LedgerBounds().accountRecords {
                let seal = Seal(rotate: RecordHash(Bytes32(5, 5, 5, UInt64(count))), ephemeral: .zero, entries: [])
                let record = LedgerRecord(
                    zone: SyncBench.account.keys.zone, signer: signing.publicKey, prev: prev, act: .seal(seal),
                    sign: signing.sign)
                records.append(record)
                prev = record.hash
            }
        }
        let ledger = phone.zone.membership.records
        _ = try ledger.take(records.map(\.encoded))
        try phone.turn()
        #expect(ledger.names.count > Limits.namesInMessage)
        try phone.meet(laptop, Self.id)
        #expect(laptop.zone.membership.records.digest == ledger.digest)
        #expect(phone.sync.peers.count == 1 && laptop.sync.peers.count == 1)
    }

    /// A record taken later goes to the connected peers with the commit, and not back to its sender.
    @Test func aRemovalReachesAConnectedDeviceAndEndsTheSessionOfTheRemoved() throws {
        let (phone, laptop) = (try SyncBench(1), try SyncBench(2))
        try phone.meet(laptop, Self.id)
        let removed = ScriptedPeer(9)
        #expect(lanes(laptop).contains(removed.lane))
        _ = try phone.zone.membership.records.take([remove(removed).encoded])
        try phone.turn()
        try phone.talk(laptop, Self.id)
        #expect(!lanes(laptop).contains(removed.lane))
        #expect(phone.closed.isEmpty && laptop.closed.isEmpty)
        // It says HELLO, and hears why nobody talks to it.
        let next = SessionID(2)
        var peer = removed
        try laptop.open(next)
        try laptop.take(.hello(peer.hello()), on: next)
        #expect(laptop.takeOutbox(next).map(\.encoded) == [Message.dismiss(remove(removed).encoded).encoded])
        #expect(laptop.closed[next] == nil)
        try laptop.take(.ledger(isLast: true, []), on: next)
        #expect(laptop.takeOutbox(next).map(\.encoded) == [Message.bye(.notMember).encoded])
        #expect(laptop.closed[next] == .notMember)
    }

    /// The peer is told of the removal first, since an honest one tells its user.
    @Test func aRemovalEndsTheSessionOfWhomTheRemovedLetIn() throws {
        let node = try SyncBench(1)
        var thief = ScriptedPeer(61)
        _ = try node.zone.membership.records.take([enter(thief, by: ScriptedPeer(9), of: node).encoded])
        try node.turn()
        try node.open(Self.id)
        try node.take(.hello(thief.hello()), on: Self.id)
        #expect(node.sync.peers.map(\.lane) == [thief.lane])
        _ = node.takeOutbox(Self.id)
        let removal = remove(ScriptedPeer(9)).encoded
        _ = try node.zone.membership.records.take([removal])
        try node.turn()
        #expect(node.closed[Self.id] == .notMember && node.sync.peers.isEmpty)
        let last: [Message] = [.ledger(isLast: false, [removal]), .bye(.notMember)]
        #expect(node.takeOutbox(Self.id).map(\.encoded) == last.map(\.encoded))
    }

    /// HELLO spoke for rows that have gone aside by the time the session is live. They may come back: if their lane
    /// counted as told until then, the peer would not hear of that.
    @Test func aLaneThatWasEmptiedSinceHelloIsTold() throws {
        let node = try SyncBench(1)
        var (peer, removed) = (ScriptedPeer(10), ScriptedPeer(9))
        try node.store.put(removed.fact(1))
        try node.turn()
        try node.open(Self.id, isInitiator: true)
        _ = try node.zone.membership.records.take([remove(removed).encoded])
        try node.turn()
        let emptied = try #require(node.store.lane(removed.lane))
        #expect(emptied.rows == 0)
        _ = node.takeOutbox(Self.id)
        try node.take(.hello(peer.hello(.responder)), on: Self.id)
        #expect(node.sync.peers.map(\.lane) == [peer.lane])
        let said = node.takeOutbox(Self.id).filter { if case .vector = $0 { true } else { false } }
        let whole = Message.vector(scope: .whole, entries: node.sync.ownEntries)
        let update = Message.vector(scope: .update, entries: [VectorEntry(emptied)])
        #expect(said.map(\.encoded) == [whole, update].map(\.encoded))
    }

    /// The peer's digest is that of what this node holds now, and did not hold when it said HELLO.
    @Test func whatCameSinceHelloIsToldToAPeerWithAnEqualDigest() throws {
        let node = try SyncBench(1)
        var (peer, writer) = (ScriptedPeer(10), ScriptedPeer(9))
        try node.open(Self.id, isInitiator: true)
        try node.store.put(writer.fact(1))
        try node.turn()
        _ = node.takeOutbox(Self.id)
        try node.take(.hello(peer.hello(.responder, digest: node.store.digest)), on: Self.id)
        let said = node.takeOutbox(Self.id).filter { if case .vector = $0 { true } else { false } }
        let update = Message.vector(scope: .update, entries: node.sync.ownEntries)
        #expect(said.map(\.encoded) == [update.encoded])
    }

    private func enter(_ peer: ScriptedPeer, by other: ScriptedPeer, of node: SyncBench) -> LedgerRecord {
        let (device, zone) = (peer.device, node.zone.zone)
        let message = Enter.endorsed(
            lane: peer.lane, member: node.zone.membership.member, isReplica: false,
            sealKey: device.sealing.publicKey, succeeds: .zero, zone: zone)
        let enter = Enter(
            person: SyncBench.account.keys.identity, firstLane: .zero, sealKey: device.sealing.publicKey,
            entrance: .lane(other.lane, other.device.signing.sign(message)))
        return LedgerRecord(
            zone: zone, signer: device.signing.publicKey, prev: .zero, act: .enter(enter), sign: device.signing.sign)
    }

    /// A failing command rolls back what peers said in its turn, and no peer repeats that within a session.
    @Test func whatARollbackTookComesAgain() throws {
        let (phone, laptop) = (try SyncBench(1), try SyncBench(2))
        try phone.meet(laptop, Self.id)
        let removed = ScriptedPeer(9)
        _ = try phone.zone.membership.records.take([remove(removed).encoded])
        try phone.turn()
        for message in phone.takeOutbox(Self.id) {
            try laptop.sync.received(message.encoded, on: Self.id, now: laptop.now)
        }
        #expect(!lanes(laptop).contains(removed.lane))
        try laptop.zone.rollback()
        try laptop.turn()
        #expect(lanes(laptop).contains(removed.lane) && laptop.closed[Self.id] == .shutdown)
        #expect(laptop.takeOutbox(Self.id).map(\.encoded) == [Message.bye(.shutdown).encoded])
        phone.sync.closed(Self.id, now: phone.now)
        try phone.meet(laptop, SessionID(2))
        #expect(!lanes(laptop).contains(removed.lane))
        // A rollback that loses nothing of the peers' ends no session, and new records are passed on.
        try laptop.zone.rollback()
        _ = try laptop.zone.membership.records.take([remove(ScriptedPeer(10)).encoded])
        try laptop.turn()
        try laptop.talk(phone, SessionID(2))
        #expect(!lanes(phone).contains(ScriptedPeer(10).lane) && phone.sync.peers.count == 1)
    }

    /// A removal made on a removed device is taken from it, and nothing that only a lane signed; then the device learns
    /// that it was removed.
    @Test func whatThePersonSignedIsTakenFromARemovedDevice() throws {
        let (phone, laptop) = (try SyncBench(1), try SyncBench(2))
        let (other, late) = (ScriptedPeer(9), ScriptedPeer(60))
        _ = try laptop.zone.membership.records.take([remove(other).encoded, late.enter.encoded])
        try laptop.turn()
        let removal = SyncBench.account.remove([laptop.zone.lane], heads: [])
        _ = try phone.zone.membership.records.take([removal.encoded])
        try phone.turn()
        #expect(lanes(phone).contains(other.lane))
        // Either may have dialled.
        try laptop.meet(phone, Self.id)
        #expect(phone.closed[Self.id] == .notMember && laptop.zone.membership.isOver)
        #expect(!lanes(phone).contains(other.lane))
        #expect(!lanes(phone).contains(late.lane) && !lanes(phone).contains(laptop.zone.lane))
        #expect(lanes(laptop).contains(late.lane))
    }

    /// Otherwise it would talk to nobody again, and what the person signed on it would be lost.
    @Test func aDeviceBelievesThatItWasRemovedOnceItHandedThatIn() throws {
        let node = try SyncBench(1)
        let why = SyncBench.account.remove([node.zone.lane], heads: []).encoded
        // A peer whose store fails says that it is shutting down.
        let ends: [ByeReason?] = [nil, .shutdown, .notMember]
        for (number, end) in ends.enumerated() {
            let id = SessionID(UInt64(number))
            try node.open(id, isInitiator: true)
            try node.take(.dismiss(why), on: id)
            #expect(!node.zone.membership.isOver)
            if let end { try node.take(.bye(end), on: id) } else { node.sync.closed(id, now: node.now) }
            #expect(node.zone.membership.isOver == (end == .notMember))
        }
    }

    @Test func ofADismissedPeerNothingElseIsTaken() throws {
        var peer = ScriptedPeer(9)
        let (other, late) = (ScriptedPeer(10), ScriptedPeer(60))
        let node = try SyncBench(1)
        try peer.greet(node, Self.id)
        _ = try node.zone.membership.records.take([remove(peer).encoded])
        try node.turn()
        try node.take(.ledger(isLast: true, [late.enter.encoded, remove(other).encoded]), on: Self.id)
        #expect(node.closed[Self.id] == .notMember)
        #expect(!lanes(node).contains(other.lane) && !lanes(node).contains(late.lane))
    }

    /// Records that were on their way are tolerated; those that nobody can have written are not.
    @Test func aDismissedPeerSaysNothingElse() throws {
        var peer = ScriptedPeer(9)
        let node = try SyncBench(1)
        try peer.greet(node, Self.id)
        _ = try node.zone.membership.records.take([remove(peer).encoded])
        try node.turn()
        _ = node.takeOutbox(Self.id)
        let seen = node.store.digest
        try node.take([.ping, .rows([peer.fact(1).encoded]), .names(isLast: true, [])], on: Self.id)
        #expect(node.takeOutbox(Self.id).isEmpty && node.closed.isEmpty && node.store.digest == seen)
        var forged = remove(ScriptedPeer(10)).encoded
        forged[forged.count - 1] ^= 1
        try node.take(.ledger(isLast: true, [forged]), on: Self.id)
        #expect(node.isViolation(Self.id))
        #expect(lanes(node).contains(ScriptedPeer(10).lane))
    }

    @Test func aLiveSessionEndsWhenItsPeerIsRemoved() throws {
        let node = try SyncBench(1)
        var peer = ScriptedPeer(9)
        try peer.greet(node, Self.id)
        #expect(node.sync.peers.map(\.lane) == [peer.lane])
        _ = try node.zone.membership.records.take([remove(peer).encoded])
        try node.turn()
        #expect(node.sync.peers.isEmpty && node.closed.isEmpty)
        // The peer has three seconds to hand in what the person signed.
        try node.pass(.seconds(3))
        #expect(node.closed[Self.id] == .notMember)
    }

    /// A device that is unknown here shows its path back to the person; one without any is told nothing.
    @Test func anUnknownDeviceShowsItsWay() throws {
        var (known, stranger) = (ScriptedPeer(60), ScriptedPeer(61))
        let node = try SyncBench(1)
        try node.open(Self.id)
        try node.take(.hello(known.hello()), on: Self.id)
        #expect(node.takeOutbox(Self.id).map(\.encoded) == [Message.who.encoded])
        try node.take(.vouch(known.enter.encoded), on: Self.id)
        #expect(node.sync.peers.map(\.lane) == [known.lane])
        let next = SessionID(2)
        try node.open(next)
        try node.take(.hello(stranger.hello()), on: next)
        try node.take(.vouch([]), on: next)
        #expect(node.closed[next] == .notMember)
        #expect(node.takeOutbox(next).map(\.encoded) == [Message.who, .bye(.notMember)].map(\.encoded))
    }

    @Test func whatNobodyCanHaveWrittenEndsTheSession() throws {
        var peer = ScriptedPeer(9)
        let other = ScriptedPeer(60).enter
        var flipped = other.encoded
        flipped[flipped.count - 1] ^= 1
        let foreign = AccountSigner(seed: Secret(bytes: [UInt8](repeating: 8, count: 64)))
        for records in [[flipped], [[1, 2, 3]], [ScriptedPeer(60, account: foreign).enter.encoded]] {
            let node = try SyncBench(1)
            try peer.greet(node, Self.id)
            let before = node.zone.membership.records.digest
            try node.take(.ledger(isLast: false, records), on: Self.id)
            #expect(node.isViolation(Self.id))
            #expect(node.zone.membership.records.digest == before)
        }
    }

    /// Judging the ledger takes milliseconds: records sent one by one cost a turn only two judgements.
    @Test func manyMessagesOfControlRecordsAreTakenTogether() throws {
        let node = try SyncBench(1)
        var peer = ScriptedPeer(9)
        try peer.greet(node, Self.id)
        let before = node.sync.counters.ledgerRecordsTaken
        var taken: [UInt64] = []
        for number in 60..<70 as Range<UInt8> {
            let message = Message.ledger(isLast: false, [ScriptedPeer(number).enter.encoded])
            try node.sync.received(message.encoded, on: Self.id, now: .zero)
            taken.append(node.sync.counters.ledgerRecordsTaken - before)
        }
        #expect(taken == [UInt64](repeating: 1, count: 10))
        try node.turn()
        #expect(node.sync.counters.ledgerRecordsTaken - before == 10)
        #expect(lanes(node).isSuperset(of: (60..<70 as Range<UInt8>).map { ScriptedPeer($0).lane }))
    }

    @Test func onlyLedgersAreSaidUntilTheyAreEqual() throws {
        for message in [Message.ping, .vector(scope: .whole, entries: []), .rows([])] {
            let (node, other) = (try SyncBench(1), try SyncBench(2))
            node.faces(other)
            var peer = ScriptedPeer(9)
            try node.open(Self.id)
            try node.take(.hello(peer.hello()), on: Self.id)
            #expect(node.sync.peers.isEmpty)
            try node.take(message, on: Self.id)
            #expect(node.isViolation(Self.id))
        }
    }

    /// A peer that does not answer takes up its place for a few seconds only.
    @Test func whoDoesNotAnswerIsLeft() throws {
        let (node, other) = (try SyncBench(1), try SyncBench(2))
        node.faces(other)
        var peer = ScriptedPeer(9)
        try node.open(Self.id)
        try node.take(.hello(peer.hello()), on: Self.id)
        try node.pass(.seconds(29))
        #expect(node.closed.isEmpty)
        try node.pass(.seconds(1))
        #expect(node.closed[Self.id] == .silent)
    }

    @Test func aFreshStartIsLetInByTheOldLane() throws {
        let node = try SyncBench(1)
        let old = node.zone.lane
        try node.store.startAfresh(.clone)
        try node.turn()
        let state = node.zone.membership.state
        #expect(node.zone.lane != old)
        #expect(state.standing(of: LaneKey(old, of: state.owner)) == .succeeded)
        #expect(state.standing(of: LaneKey(node.zone.lane, of: state.owner)) == .active)
    }
}
