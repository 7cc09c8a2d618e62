import ChatTestKit
import Ledger
import NodeCore
import SyncState
import Testing

@testable import Chat

/// An account's roots on its devices (docs/PROTOCOL.md, §5.3).
@Suite struct AccountLedgerTests {
    /// Gives both ledgers to both devices, and lets both do what is due.
    private func meet(_ one: TestZone, _ two: TestZone) throws {
        for (from, to) in [(one, two), (two, one), (one, two)] {
            let ledger = from.zone.membership.records
            _ = try to.zone.membership.records.take(ledger.records.map(\.encoded))
            for _ in 0..<2 { try to.run(for: .seconds(20)) }
        }
    }

    private func give(_ records: [Record], to zone: TestZone) throws {
        for record in records { try zone.store.put(record) }
        try zone.zone.commit()
    }

    private func end(of zone: TestZone) -> RecordHash? {
        zone.zone.membership.state.end(of: zone.zone.membership.own)
    }

    private func remove(_ zone: TestZone) throws -> LedgerRecord {
        TestZone.signer.remove([zone.zone.lane], heads: [try #require(end(of: zone))])
    }

    @Test func recordsFromThenOnAreSealedUnderTheNewRoot() throws {
        let zone = try TestZone(device: 21)
        let first = zone.zone.membership.root
        try zone.writeFact("before")
        try zone.zone.membership.rotate()
        let second = zone.zone.membership.root
        try zone.writeFact("after")
        try zone.zone.commit()
        let facts = try zone.store.records(of: zone.zone.lane)
        #expect(facts.map(\.header.keyVersion) == [first.id, second.id])
        // The earlier root does not open it.
        let last = try #require(facts.last)
        #expect(throws: (any Error).self) {
            try XChaChaPoly.open(
                last.sealedMeta, associatedData: last.header.metaAssociatedData(blob: last.blob), key: first.meta)
        }
        let reopened = try zone.reopened()
        #expect(reopened.zone.membership.root.rotate == second.rotate)
        #expect(reopened.zone.membership.epoch == 1)
    }

    @Test func theOthersLearnTheRootAndWriteUnderIt() throws {
        let (one, two) = (try TestZone(device: 21), try TestZone(device: 22))
        try meet(one, two)
        for _ in 0..<3 { try one.zone.membership.rotate() }
        try one.zone.commit()
        let fact = try one.writeFact("theirs")
        // Its root is not here yet.
        #expect(throws: RecordRejection.notYet) { try two.store.put(fact) }
        try meet(one, two)
        #expect(two.zone.membership.epoch == 3)
        try give([fact], to: two)
        #expect(try two.writeFact("mine").header.keyVersion == one.zone.membership.root.id)
        #expect(try two.reopened().zone.membership.epoch == 3)
    }

    /// A device that is new or slept is given what it lacks by any device it meets.
    @Test func whoeverComesLaterIsGivenTheRoot() throws {
        let (one, two, three) = (try TestZone(device: 21), try TestZone(device: 22), try TestZone(device: 23))
        for _ in 0..<2 { try one.zone.membership.rotate() }
        try one.zone.commit()
        try meet(one, two)
        try meet(two, three)
        #expect(three.zone.membership.root.rotate == one.zone.membership.root.rotate)
        // Nobody seals the same root again.
        let known = two.zone.membership.records.names.count
        try meet(one, two)
        try meet(two, three)
        #expect(one.zone.membership.records.names == three.zone.membership.records.names)
        #expect(one.zone.membership.records.names.count == known)
    }

    @Test func whoIsRemovedReadsNothingThatIsWrittenLater() throws {
        let (laptop, phone, tablet) = (try TestZone(device: 21), try TestZone(device: 22), try TestZone(device: 23))
        try meet(laptop, phone)
        try meet(laptop, tablet)
        _ = try laptop.zone.membership.records.take([remove(phone).encoded])
        for _ in 0..<6 { try laptop.run(for: .seconds(5)) }
        #expect(laptop.zone.membership.epoch == 1)
        try meet(laptop, tablet)
        let fact = try laptop.writeFact("after")
        try give([fact], to: tablet)
        // Everything said so far does not help it.
        try meet(laptop, phone)
        try meet(tablet, phone)
        #expect(phone.zone.membership.epoch == 0)
        #expect(throws: RecordRejection.notYet) { try phone.store.put(fact) }
        #expect(throws: AccountError.notAmongDevices) { try phone.zone.membership.rotate() }
        // The others keep what it did before, and do not rotate again.
        for zone in [laptop, tablet] { #expect(zone.zone.membership.epoch == 1) }
    }

    /// Otherwise a device that slept could seal a root to the devices whose removal it covers.
    @Test func aRootIsTakenOnlyWithTheRemovalsThatItCovers() throws {
        let (laptop, phone, tablet) = (try TestZone(device: 21), try TestZone(device: 22), try TestZone(device: 23))
        try meet(laptop, phone)
        try meet(laptop, tablet)
        let removal = try remove(phone)
        _ = try laptop.zone.membership.records.take([removal.encoded])
        for _ in 0..<6 { try laptop.run(for: .seconds(5)) }
        let all = laptop.zone.membership.records.records
        _ = try tablet.zone.membership.records.take(all.filter { $0.hash != removal.hash }.map(\.encoded))
        try tablet.run(for: .seconds(1))
        #expect(tablet.zone.membership.epoch == 0)
        _ = try tablet.zone.membership.records.take([removal.encoded])
        try tablet.run(for: .seconds(1))
        #expect(tablet.zone.membership.root.rotate == laptop.zone.membership.root.rotate)
    }

    /// A stolen device, not yet removed, gives others a root that nobody has.
    @Test func whatIsSealedMustBeWhatWasAnnounced() throws {
        let (laptop, phone, tablet) = (try TestZone(device: 21), try TestZone(device: 22), try TestZone(device: 23))
        try meet(laptop, phone)
        try laptop.zone.membership.rotate()
        try laptop.zone.commit()
        try meet(laptop, phone)
        let rotate = laptop.zone.membership.root.rotate
        let thief = phone.store.device
        var random: any RandomSource = SeededRandom(seed: 9)
        let junk = ZoneRoot(rotate: rotate, secret: Secret(random: &random, count: 32))
        let recipient = Seal.Recipient(
            id: tablet.zone.lane.storage, key: tablet.store.device.sealing.publicKey)
        let seal = LedgerRecord(
            zone: TestZone.keys.zone, signer: thief.signing.publicKey, prev: try #require(end(of: phone)),
            act: .seal(Seal(junk, to: [recipient], random: &random)), sign: thief.signing.sign)
        _ = try phone.zone.membership.records.take([seal.encoded])
        try meet(phone, tablet)
        #expect(tablet.zone.membership.epoch == 0)
        // Its removal makes a new root, which goes to all but it.
        let ledger = laptop.zone.membership.records
        _ = try ledger.take(phone.zone.membership.records.records.map(\.encoded))
        _ = try ledger.take([remove(phone).encoded])
        for _ in 0..<6 { try laptop.run(for: .seconds(5)) }
        try meet(laptop, tablet)
        #expect(tablet.zone.membership.epoch == 2)
        #expect(tablet.zone.membership.root.rotate == laptop.zone.membership.root.rotate)
    }

    /// Writes records that a thief's own node would not write.
    private struct Thief {
        let zone: TestZone
        private(set) var records: [LedgerRecord] = []
        private var random: any RandomSource = SeededRandom(seed: 9)

        init(_ zone: TestZone) { self.zone = zone }

        @discardableResult
        mutating func write(_ act: LedgerAct) throws -> RecordHash {
            let membership = zone.zone.membership
            let record = LedgerRecord(
                zone: TestZone.keys.zone, signer: zone.store.device.signing.publicKey,
                prev: try #require(membership.state.end(of: membership.own)), act: act,
                sign: zone.store.device.signing.sign)
            _ = try membership.records.take([record.encoded])
            records.append(record)
            return record.hash
        }

        /// Writes a new root, sealed correctly to some devices and as junk to others.
        mutating func rotate(to some: [TestZone], butNotTo others: [TestZone]) throws {
            let membership = zone.zone.membership
            let (secret, rotate) = membership.ring.rotation(in: membership.state, random: &random)
            let root = ZoneRoot(rotate: try write(.rotate(rotate)), secret: secret)
            let junk = ZoneRoot(rotate: root.rotate, secret: Secret(random: &random, count: 32))
            for (root, zones) in [(root, some), (junk, others)] where !zones.isEmpty { try seal(root, to: zones) }
        }

        /// Writes two new roots: the upper one is sealed correctly, and its claimed lower one is junk.
        mutating func rotateAboveJunk(to zones: [TestZone]) throws {
            let membership = zone.zone.membership
            let first = membership.root
            let lower = try write(.rotate(membership.ring.rotation(in: membership.state, random: &random).1))
            let junk = ZoneRoot(rotate: lower, secret: Secret(random: &random, count: 32))
            let ring = RootRing(first: first, later: [junk])
            let (secret, upper) = ring.rotation(in: membership.state, random: &random)
            try seal(ZoneRoot(rotate: try write(.rotate(upper)), secret: secret), to: zones)
        }

        private mutating func seal(_ root: ZoneRoot, to zones: [TestZone]) throws {
            let recipients = zones.map {
                Seal.Recipient(id: $0.zone.lane.storage, key: $0.store.device.sealing.publicKey)
            }
            try write(.seal(Seal(root, to: recipients, random: &random)))
        }
    }

    private func take(_ records: [LedgerRecord], on zone: TestZone) throws {
        _ = try zone.zone.membership.records.take(records.map(\.encoded))
        for _ in 0..<2 { try zone.run(for: .seconds(20)) }
    }

    /// Holders of the root cannot see that: the tablet says so, and another device gives it the root.
    @Test func aDeviceThatIsSealedJunkIsGivenTheRootByAnother() throws {
        let (laptop, phone, tablet) = (try TestZone(device: 21), try TestZone(device: 22), try TestZone(device: 23))
        for zone in [laptop, tablet, laptop] { try meet(zone, phone) }
        var thief = Thief(phone)
        try thief.rotate(to: [laptop], butNotTo: [tablet])
        for zone in [laptop, tablet] { try take(thief.records, on: zone) }
        #expect(laptop.zone.membership.epoch == 1 && tablet.zone.membership.epoch == 0)
        let fact = try laptop.writeFact("under a root that the tablet lacks")
        try meet(laptop, tablet)
        #expect(tablet.zone.membership.root.rotate == laptop.zone.membership.root.rotate)
        try give([fact], to: tablet)
        // Saying so of a seal that opens gains the thief nothing.
        let seals = laptop.zone.membership.records.records.filter { $0.act.kind == LedgerKind.seal.rawValue }
        let known = laptop.zone.membership.records.names.count
        try take([], on: laptop)
        try thief.write(.unopened(seals.map(\.hash).sorted()))
        try take(thief.records, on: laptop)
        #expect(laptop.zone.membership.records.names.count == known + 1)
    }

    /// Otherwise it would write under a root below which nobody can read.
    @Test func aRootAboveJunkIsNotTaken() throws {
        let (laptop, phone) = (try TestZone(device: 21), try TestZone(device: 22))
        try meet(laptop, phone)
        var thief = Thief(phone)
        try thief.rotateAboveJunk(to: [laptop])
        try take(thief.records, on: laptop)
        #expect(laptop.zone.membership.epoch == 0)
    }

    @Test func aDeviceThatIsSealedJunkWithoutEndSaysSoSixteenTimes() throws {
        let (phone, tablet) = (try TestZone(device: 22), try TestZone(device: 23))
        try meet(tablet, phone)
        var thief = Thief(phone)
        for _ in 0..<20 {
            try thief.rotate(to: [], butNotTo: [tablet])
            try take(thief.records, on: tablet)
        }
        let said = tablet.zone.membership.records.records.filter { $0.act.kind == LedgerKind.unopened.rawValue }
        #expect(said.count == 16)
    }

    /// A lane with a key that nobody can hold costs its account nothing.
    @Test func nothingIsSealedUnderAWeakKey() throws {
        let zone = try TestZone(device: 21)
        try zone.zone.membership.rotate()
        try zone.zone.commit()
        let device = DeviceKeys(
            deviceSecret: Secret(bytes: [UInt8](repeating: 77, count: 32)), tag: .zero)
        let thief = zone.store.device
        let message = Enter.endorsed(
            lane: device.lane, member: zone.zone.membership.member, isReplica: false, sealKey: .zero, succeeds: .zero,
            zone: TestZone.keys.zone)
        let enter = LedgerRecord(
            zone: TestZone.keys.zone, signer: device.signing.publicKey, prev: .zero,
            act: .enter(
                Enter(
                    person: TestZone.keys.identity, firstLane: .zero, sealKey: .zero,
                    entrance: .lane(thief.lane, thief.signing.sign(message)))),
            sign: device.signing.sign)
        _ = try zone.zone.membership.records.take([enter.encoded])
        try zone.run(for: .seconds(20))
        let known = zone.zone.membership.records.names.count
        for _ in 0..<5 { try zone.run(for: .seconds(20)) }
        #expect(zone.zone.membership.records.names.count == known)
    }

    /// Two devices that rotated apart join, and each opens what the other wrote.
    @Test func rootsMadeApartAreSealedToEachOther() throws {
        let (one, two) = (try TestZone(device: 21), try TestZone(device: 22))
        try meet(one, two)
        for zone in [one, two] { try zone.zone.membership.rotate() }
        let facts = try [one, two].map { try $0.writeFact("fact") }
        for zone in [one, two] { try zone.zone.commit() }
        try meet(one, two)
        try give([facts[1]], to: one)
        try give([facts[0]], to: two)
        #expect(one.zone.membership.root.rotate == two.zone.membership.root.rotate)
    }

    @Test func whoRestoresByTheWordsOpensTheRoots() throws {
        let one = try TestZone(device: 21)
        for _ in 0..<2 { try one.zone.membership.rotate() }
        try one.zone.commit()
        let two = try TestZone(device: 22)
        let ledger = one.zone.membership.records
        _ = try two.zone.membership.records.take(ledger.records.map(\.encoded))
        #expect(two.zone.membership.epoch == 0)
        two.zone.membership.recovery = TestZone.signer.recovery
        try two.run(for: .seconds(20))
        #expect(two.zone.membership.epoch == 2)
        // What is sealed to the person while this device is away from the others is opened without the words.
        #expect(two.zone.membership.recovery != nil)
        two.zone.connectedDevices = [one.zone.lane]
        try two.run(for: .seconds(20))
        #expect(two.zone.membership.recovery == nil)
    }

    /// The device was let in by one that was removed before others heard of it: it is told, and the words let it in.
    @Test func whoCameByARemovedDeviceIsTold() throws {
        let (laptop, phone, tablet) = (try TestZone(device: 21), try TestZone(device: 22), try TestZone(device: 23))
        try meet(laptop, phone)
        let device = tablet.store.device
        let message = Enter.endorsed(
            lane: device.lane, member: laptop.zone.membership.member, isReplica: false,
            sealKey: device.sealing.publicKey,
            succeeds: .zero, zone: TestZone.keys.zone)
        let enter = LedgerRecord(
            zone: TestZone.keys.zone, signer: device.signing.publicKey, prev: .zero,
            act: .enter(
                Enter(
                    person: TestZone.keys.identity, firstLane: .zero, sealKey: device.sealing.publicKey,
                    entrance: .lane(phone.zone.lane, phone.store.device.signing.sign(message)))),
            sign: device.signing.sign)
        let path = ZoneMembership.encode([enter] + phone.zone.membership.state.path(of: phone.zone.membership.own))
        let removal = try remove(phone)
        _ = try laptop.zone.membership.records.take([removal.encoded])
        #expect(try laptop.zone.membership.standing(of: device.lane, shown: path) == .dismissed(removal.encoded))
        // So is one that this device had heard of and the removing device had not; and the words let it in.
        let desktop = try TestZone(device: 24)
        try meet(desktop, phone)
        _ = try desktop.zone.membership.records.take([enter.encoded])
        _ = try desktop.zone.membership.records.take([removal.encoded])
        #expect(desktop.zone.membership.laneStanding(of: device.lane) == .lapsed)
        #expect(desktop.zone.membership.standing(of: device.lane) == .unknown)
        #expect(try desktop.zone.membership.standing(of: device.lane, shown: path) == .dismissed(removal.encoded))
        #expect(desktop.zone.membership.removedAt(device.lane) == nil)
        let again = ZoneMembership.encode([TestZone.signer.enter(device)])
        for zone in [desktop, laptop] {
            #expect(try zone.zone.membership.standing(of: device.lane, shown: again) == .proven)
        }
        // An entirely unknown device is told nothing.
        #expect(try laptop.zone.membership.standing(of: LaneID(Bytes32(1, 2, 3, 4)), shown: path) == .unknown)
    }

    @Test func aLaneWithoutRoomIsSucceeded() throws {
        let zone = try TestZone(device: 21)
        let lane = zone.zone.lane
        for _ in 0..<40 { try zone.zone.membership.rotate() }
        try zone.zone.commit()
        #expect(zone.zone.lane != lane)
        #expect(zone.zone.membership.epoch == 40)
        #expect(try zone.reopened().zone.membership.epoch == 40)
    }

    /// Others have taken the places, and the rotation that is due would not count: the account continues.
    @Test func aDeviceWithoutAPlaceStopsNobody() throws {
        let zone = try TestZone(device: 21)
        let membership = zone.zone.membership
        try zone.zone.store.startAfresh(.clone)
        try zone.zone.commit()
        #expect(membership.ownStanding == .active)
        // A lane that the words let in precedes one that a lane let in.
        let strangers = (0..<LedgerBounds().ownerLanes).map { number in
            DeviceKeys(
                deviceSecret: Secret(bytes: [UInt8](repeating: 77, count: 32)), tag: Bytes16(9, UInt64(number)))
        }
        _ = try membership.records.take(strangers.map { TestZone.signer.enter($0).encoded })
        _ = try membership.records.take([TestZone.signer.remove([LaneID(Bytes32(1, 2, 3, 4))], heads: []).encoded])
        for _ in 0..<3 { try zone.run(for: .seconds(20)) }
        #expect(membership.ownStanding == .displaced)
        try zone.writeFact("goes on")
        try zone.zone.commit()
        #expect(throws: AccountError.notAmongDevices) { try membership.rotate() }
    }

    @Test func whatIsRolledBackWasNotRotated() throws {
        let zone = try TestZone(device: 21)
        let first = zone.zone.membership.root.id
        try zone.zone.membership.rotate()
        try zone.zone.accountState.pause(by: "user", wall: WallTime(milliseconds: 1_700_000_000_000))
        try zone.zone.rollback()
        #expect(zone.zone.membership.epoch == 0)
        #expect(zone.zone.pause == nil)
        #expect(zone.zone.accountState.state == nil)
        #expect(try zone.writeFact("x").header.keyVersion == first)
    }

    @Test func theQueueOutlivesARotation() throws {
        var zone = try TestZone(device: 21)
        let message = ChatMessage(
            txid: TxID(bytes: [UInt8](repeating: 7, count: 32)) ?? .zero, conversationID: "alice", contact: "alice",
            direction: .received, senderTimestamp: 1_700_000_000, status: .pending, body: "hello")
        _ = try zone.zone.accept(message, now: .zero)
        try zone.zone.membership.rotate()
        try zone.zone.commit()
        zone = try zone.reopened()
        #expect(try zone.zone.chat.message(message.txid)?.message.body == "hello")
        #expect(try zone.zone.cut(force: true, now: .zero) == 1)
        try zone.zone.commit()
        #expect(try zone.zone.chat.message(message.txid)?.message.body == "hello")
    }
}
