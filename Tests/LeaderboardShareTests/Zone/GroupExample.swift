import NodeCore
import SyncState
import Testing
import VectorPages

@testable import LeaderboardShare

/// A group of three, with what docs/PROTOCOL.md, section 13, puts on the wire; everything follows from secrets of equal
/// bytes. Genesis, invitation and the first admission are those of `groups.json`.
struct GroupExample {
    /// A member with one device.
    struct Person {
        let name: String
        let seed: Secret
        let deviceSecret: Secret
        let device: DeviceKeys
        let key: Ed25519.KeyPair

        init(_ name: String, _ byte: UInt8, group: ZoneID) {
            self.name = name
            seed = GroupExample.secret(byte)
            deviceSecret = GroupExample.secret(byte | 0x10)
            device = DeviceKeys(deviceSecret: deviceSecret, zone: group, tag: GroupExample.bytes16(byte | 0x20))
            key = Ed25519.KeyPair(seed: seed)
        }

        var member: MemberID { MemberID(key.publicKey) }
    }

    /// A record of a lane, and what it was made of.
    struct Stored {
        let title: String
        let record: Record
        let slotName: String
        let meta: RecordMeta
        let blob: [UInt8]?
        var names: [UInt8]?
    }

    static let wall = WallTime(milliseconds: 1_735_689_600_000)
    static let handshakeHash = [UInt8](repeating: 0x77, count: 32)

    let group: ZoneID
    let owner: Person
    let joiner: Person
    let carol: Person
    let epochs: [GroupEpoch]
    let token: GroupToken
    /// Results that takings name by the hashes of their records.
    let scores: [Stored]
    private(set) var controls: [(title: String, record: ControlRecord)] = []
    private let ring: GroupKeyRing

    static func secret(_ byte: UInt8, _ count: Int = 32) -> Secret {
        Secret(bytes: [UInt8](repeating: byte, count: count))
    }

    static func bytes16(_ byte: UInt8) -> Bytes16 { Bytes16(bytes: [UInt8](repeating: byte, count: 16)) ?? .zero }

    init() throws {
        let (root, next) = (Self.secret(3), Self.secret(8))
        let founder = Ed25519.KeyPair(seed: Self.secret(1))
        let beginning = Genesis(
            random: Self.bytes16(4), createdAt: Self.wall, memberLimit: 500,
            rootCommitment: Genesis.commitment(to: root))
        let id = beginning.groupID(owner: MemberID(founder.publicKey))
        let people = [Person("owner", 1, group: id), Person("joiner", 2, group: id), Person("carol", 7, group: id)]
        let (owner, joiner, carol) = (people[0], people[1], people[2])
        (group, self.owner, self.joiner, self.carol) = (id, owner, joiner, carol)
        var made: [(title: String, record: ControlRecord)] = []
        func sign(_ title: String, _ by: Person, _ under: RecordHash, _ act: ControlAct) -> ControlRecord {
            // Those of `groups.json` keep theirs; the others differ without.
            let nonce: UInt64 = title == "genesis" ? 0 : title == "invite" ? 1 : title == "admission" ? 2 : 9
            let record = ControlRecord(
                group: id, by: by.member, under: under, claimedAt: Self.wall, nonce: nonce, act: act, sign: by.key.sign)
            made.append((title, record))
            return record
        }
        let genesis = sign("genesis", owner, .zero, .genesis(beginning))
        let first = GroupEpoch(record: genesis.hash, root: root)
        ring = GroupKeyRing(group: id, first: first)
        let ring = ring
        scores = try [(joiner, 3, 20_088), (carol, 4, 20_088), (carol, 5, 20_089)].map { person, score, day in
            let score = try DailyScore(
                member: person.member, day: Day(number: day), game: GameID(Bytes16(0x0102_0304_0506_0708, 9)),
                gameName: "Wordle", score: UInt32(score), maxAttempts: 6, currentStreak: 12, updatedAt: Self.wall)
            return Self.store(
                .score(score), "\(person.name)'s score of \(day)", by: person, seq: UInt64(day), in: first, ring)
        }
        let ofScores = scores.map(\.record.hash)

        let tokenSecret = try #require(TokenSecret(bytes: Self.secret(5, 16)))
        let link = Delegation(role: .member, expiresSeconds: 1_767_225_600, key: tokenSecret.key.publicKey)
        token = try GroupToken(
            group: id, issuer: owner.member, title: "Family",
            rendezvous: first.rendezvous.withUnsafeBytes { Array($0) }, link: link, secret: tokenSecret,
            hints: [
                SocketAddress(ipv4: 0x7F00_0001, port: 4_711), SocketAddress(ipv6: Self.bytes16(0x20), port: 4_711),
            ],
            sign: owner.key.sign)
        let own = genesis.hash
        for (index, person) in people.enumerated() {
            _ = sign(
                "\(person.name)'s certificate", person, .zero,
                .certificate(device: person.device.lane, index: UInt8(index)))
        }
        let title = sign("title", owner, own, .title(GroupTitle(number: 1, title: "Family", description: "Grüße")))
        let invite = sign("invite", owner, own, .invite(link))
        let admission = sign("admission", owner, invite.hash, .admission(token.admission(of: joiner.member)))
        let second = sign("admission by a member", joiner, invite.hash, .admission(token.admission(of: carol.member)))
        let suspend = sign("suspend", owner, own, .suspend(joiner.member))
        _ = sign("unsuspend", owner, own, .unsuspend(NameSet([suspend.hash])))
        let removal = sign("remove", owner, own, .remove(carol.member, staying: NameSet([ofScores[1]])))
        let others = (0..<32).map { RecordHash(Blake2b.hash32([$0])) }
        _ = sign("remove with a list", owner, own, .remove(carol.member, staying: NameSet(others + [ofScores[2]])))
        var random: any RandomSource = CountingRandom()
        let rotate = sign(
            "rotate", owner, own,
            .rotate(
                Rotation(
                    number: 1, commitment: Genesis.commitment(to: next), previous: own,
                    sealedPrevious: RootSeal.seal(previous: first, under: next, random: &random),
                    follows: NameSet([removal.hash]))))
        let latest = GroupEpoch(record: rotate.hash, root: next)
        epochs = [first, latest]
        random = CountingRandom()
        let sealed = RootSeal.seal(latest, to: joiner.member, group: id, random: &random) ?? []
        _ = sign("seal", owner, .zero, .seal(root: rotate.hash, to: joiner.member, sealed: sealed))
        _ = sign("leave", joiner, .zero, .leave(NameSet([admission.hash])))
        _ = sign("demote", owner, own, .demote(joiner.member, to: .viewer, staying: NameSet([second.hash])))
        _ = sign("revoke", owner, own, .revoke(invitation: invite.hash, staying: NameSet([admission.hash])))
        let acceptance = joiner.key.sign(
            Transfer.acceptanceMessage(group: id, giving: own, from: owner.member, to: joiner.member))
        _ = sign(
            "transfer", owner, own,
            .transfer(Transfer(to: joiner.member, acceptance: acceptance, staying: NameSet([title.hash, invite.hash]))))
        _ = sign("close", owner, own, .close)
        controls = made
        _ = ring.add(latest)
    }

    subscript(title: String) -> ControlRecord {
        guard let found = controls.first(where: { $0.title == title }) else {
            preconditionFailure("invariant: an example asks for what it made")
        }
        return found.record
    }

    /// Nonces count from 0 in metas, from 100 in blobs.
    func store(
        _ content: GroupRecord, _ title: String, by person: Person, seq: UInt64, in epoch: GroupEpoch,
        names: [UInt8]? = nil
    ) -> Stored {
        Self.store(content, title, by: person, seq: seq, in: epoch, ring, names: names)
    }

    private static func store(
        _ content: GroupRecord, _ title: String, by person: Person, seq: UInt64, in epoch: GroupEpoch,
        _ ring: GroupKeyRing, names: [UInt8]? = nil
    ) -> Stored {
        guard let meta = content.meta, let slotName = content.slotName else {
            preconditionFailure("invariant: what is written can be read")
        }
        ring.use(epoch)
        let header = RecordHeader(
            lane: person.device.lane, seq: seq, slot: ring.slot(named: slotName, tag: .zero), kind: .immutable,
            keyVersion: ring.keyVersion)
        var random: any RandomSource = CountingRandom(from: 100)
        let blob = names.map { ring.sealNames($0, header: header, random: &random) }
        let reference = blob.map {
            BlobReference(hash: BlobHash($0.withUnsafeBytes { Blake2b.hash32($0) }), sizeBytes: $0.count)
        }
        random = CountingRandom()
        let record = Record(
            header: header, blob: reference,
            sealedMeta: ring.seal(meta, header: header, blob: reference, random: &random),
            zone: ring.zone, signedBy: person.device.signing)
        return Stored(title: title, record: record, slotName: slotName, meta: meta, blob: blob, names: names)
    }
}
