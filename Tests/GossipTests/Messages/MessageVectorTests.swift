import ChatTestKit
import Foundation
import Ledger
import NodeCore
import Testing
import VectorPages

@testable import Chat
@testable import Gossip
@testable import SyncState

/// The worked examples of docs/PROTOCOL.md, generated from the code and compared with the page that others test
/// against. `KACHAT_WRITE_VECTORS=1` writes the page.
@Suite struct MessageVectorTests {
    private static let path = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")

    private let phrase = (0..<11).map { _ in "abandon " }.joined() + "about"
    let device: DeviceKeys
    let signer: AccountSigner
    private let sealer: RecordSealer
    private let writer = LaneID(Bytes32(1, 2, 3, 4))

    init() throws {
        signer = AccountSigner(seed: try Mnemonic(phrase: phrase).seed(passphrase: ""))
        sealer = RecordSealer(signer.keys)
        device = DeviceKeys(
            deviceSecret: Secret(bytes: [UInt8](repeating: 0x11, count: 32)),
            tag: Bytes16(0x2222_2222_2222_2222, 0x2222_2222_2222_2222))
    }

    var keys: AccountKeys { signer.keys }

    @Test func thePageIsWhatTheCodeGives() throws {
        var page = VectorPage()
        try addKeys(&page)
        addSlots(&page)
        let records = try addRecords(&page)
        try addStateRecords(&page, records)
        try addSets(&page, records)
        addBeacon(&page)
        try addLedger(&page)
        addMessages(&page)
        page.addPairing()
        addInputs(&page)
        addHashes(&page)
        try addPage(&page, records)
        try addLaterTypes(&page)
        try addHealing(&page)
        let url = URL(fileURLWithPath: "/" + Self.path + "/Vectors/protocol.json")
        if getenv("KACHAT_WRITE_VECTORS") != nil { try Data(page.text.utf8).write(to: url) }
        let written = try String(decoding: Data(contentsOf: url), as: UTF8.self)
        #expect(written == page.text, "the protocol changed: see docs/PROTOCOL.md before writing the page anew")
    }

    private func addKeys(_ page: inout VectorPage) throws {
        let seed = try Mnemonic(phrase: phrase).seed(passphrase: "")
        page.section("keys")
        page.add("phrase", text: phrase)
        page.add("seed", seed)
        page.add("root", HKDF.extract(salt: Array("kachat/account/phrase".utf8), inputKey: seed))
        page.add("accountID", keys.accountID.bytes)
        page.add("zone", keys.zone.bytes)
        page.add("R1", keys.firstRoot.secret)
        page.add("K_slot", keys.slotKey)
        add(keys.firstRoot, "1", &page)
        page.add("device secret", [UInt8](repeating: 0x11, count: 32))
        page.add("device tag", device.tag.bytes)
        page.add("lane", device.lane.bytes)
    }

    private func add(_ root: ZoneRoot, _ name: String, _ page: inout VectorPage) {
        page.add("K_repl \(name)", root.replication)
        page.add("K_read \(name)", root.reading)
        page.add("K_disc \(name)", root.discovery)
        page.add("psk \(name)", root.session)
        page.add("K_meta \(name)", root.meta)
        page.add("K_archive \(name)", root.archive)
    }

    private func addSlots(_ page: inout VectorPage) {
        page.section("slots")
        for name in ["read.c1", "device.\(device.lane.hex)", "opaque.picture"] {
            page.add(name, sealer.slot(named: name, tag: .zero).bytes)
        }
        page.add("read.c1, tag 0101…", sealer.slot(named: "read.c1", tag: Self.tag).bytes)
    }

    static let tag = Bytes16(0x0101_0101_0101_0101, 0x0101_0101_0101_0101)

    // MARK: Records

    static let facts = [
        ChainFact(
            txid: TxID(Bytes32(1, 1, 1, 1)), revision: 1, blockTime: 1_700_000_002_000, acceptingDaaScore: 2_000,
            status: .confirmed),
        ChainFact(txid: TxID(Bytes32(5, 6, 7, 8)), revision: 2, status: .reorged),
    ]

    static let messages = [
        ChatMessage(
            txid: TxID(Bytes32(5, 6, 7, 8)), conversationID: "c1", contact: "ada", direction: .received,
            senderTimestamp: 1_700_000_000, blockTime: 1_700_000_001_000, acceptingDaaScore: 1_000,
            status: .confirmed, body: "hello"),
        ChatMessage(
            txid: TxID(Bytes32(1, 1, 1, 1)), conversationID: "c1", contact: "ada", direction: .sent,
            senderTimestamp: 1_700_000_002, status: .pending, body: "",
            attachments: [
                ChatAttachment(
                    link: "https://a.b/c", mimeType: "image/png", sizeBytes: 70_000, width: 640, height: 480)
            ]),
    ]

    private func addRecords(_ page: inout VectorPage) throws -> [Record] {
        let marker = ReadMarker(
            conversationID: "c1",
            bounds: [
                ReadBound(txid: TxID(Bytes32(9, 9, 9, 9)), timeMilliseconds: 1_700_000_000_000),
                ReadBound(
                    txid: TxID(Bytes32(5, 6, 7, 8)), acceptingDaaScore: 1_000, timeMilliseconds: 1_699_999_999_000),
            ], named: [TxID(Bytes32(9, 9, 9, 9)), TxID(Bytes32(1, 2, 3, 4))],
            readAt: WallTime(milliseconds: 1_700_000_000_123))
        let description = DeviceDescription(
            name: "phone", appVersion: "1.0", lastSeenAt: WallTime(milliseconds: 1_700_000_000_456), predecessor: writer
        )
        let forgotten = ForgottenDevice(lane: writer, through: 12)
        var records: [Record] = []
        records.append(
            add(
                &page, "read marker", 1, RecordMeta(type: .readMarker, fields: marker.encoded), marker.slotName,
                .register))
        records.append(
            add(
                &page, "device", 2, RecordMeta(type: .device, fields: description.encoded),
                DeviceDescription.slotName(of: device.lane), .register))
        records.append(
            add(
                &page, "forgotten device", 3, RecordMeta(type: .forgottenDevice, fields: forgotten.encoded),
                forgotten.slotName, .register))
        let name = OpaqueName("picture")
        let key = HKDF.derive(sealer.current.archive, "opaque", Array("picture".utf8))
        records.append(
            add(&page, "opaque", 4, RecordMeta(type: .opaque, fields: name.encoded), name.slotName, .immutable) {
                var random: any RandomSource = CountingRandom(from: 100)
                return XChaChaPoly.seal([1, 2, 3], associatedData: $0.blobAssociatedData, key: key, random: &random)
            })
        records.append(try addSegment(&page))
        return records
    }

    /// Adds a record of a type that no segment and no set needs.
    func add(
        _ page: inout VectorPage, _ title: String, _ seq: UInt64, _ meta: RecordMeta, _ slot: String,
        _ kind: RecordKind,
        seal: ((RecordHeader) -> [UInt8])? = nil
    ) -> Record {
        var random: any RandomSource = CountingRandom()
        let header = RecordHeader(
            lane: device.lane, seq: seq, slot: sealer.slot(named: slot, tag: meta.tag), kind: kind,
            keyVersion: sealer.keyVersion)
        let blob = seal?(header)
        let reference = blob.map {
            BlobReference(hash: BlobHash($0.withUnsafeBytes { Blake2b.hash32($0) }), sizeBytes: $0.count)
        }
        let record = Record(
            header: header, blob: reference,
            sealedMeta: sealer.seal(meta, header: header, blob: reference, random: &random), zone: keys.zone,
            signedBy: device.signing)
        page.section("record: \(title)")
        page.add("slot name", text: slot)
        page.add("fields", meta.fields)
        page.add("meta", meta.encoded)
        page.add("meta's associated data", header.metaAssociatedData(blob: reference))
        if let blob {
            page.add("blob's associated data", header.blobAssociatedData)
            page.add("blob", blob)
        }
        page.add("record", record.encoded)
        page.add("hash", record.hash.bytes)
        return record
    }

    /// The payload is in one raw block, so that the page does not depend on a compressor.
    private func addSegment(_ page: inout VectorPage) throws -> Record {
        let messages = Self.messages
        let payload = PayloadWriter.payload(of: messages)
        let size = UInt32(payload.count)
        let compressed: [UInt8] =
            [1, 0, 0, UInt8(size >> 8), UInt8(size & 0xff)] + [0x28, 0xb5, 0x2f, 0xfd, 0x20, UInt8(size)]
            + [UInt8(size << 3 & 0xff) | 1, UInt8(size >> 5), 0] + payload
        let name = SegmentName(conversationID: "c1", dayBucket: 19_675, writer: device.lane, sequence: 0)
        let meta = SegmentMeta(
            name: name, startTimestamp: 1_700_000_000, endTimestamp: 1_700_000_002, messageCount: 2,
            byteCount: payload.count, payloadVersion: 1, prefixes: messages.flatMap { $0.txid.bytes.prefix(4) })
        let archive = sealer.current.archive
        var sealed: [UInt8] = []
        var header: RecordHeader?
        let record = add(
            &page, "segment", 5, RecordMeta(type: .segment, tag: Self.tag, fields: meta.encoded), name.text, .segment
        ) {
            var random: any RandomSource = CountingRandom(from: 100)
            header = $0
            sealed = SegmentCodec.seal(
                SegmentDraft(meta: meta, compressed: compressed, queueRows: []), header: $0.blobAssociatedData,
                archiveKey: archive, random: &random)
            return sealed
        }
        page.add("key", HKDF.expand(archive, info: name.bytes))
        page.add("compressed", compressed)
        page.add("payload", payload)
        let associated = try #require(header).blobAssociatedData
        let opened = try sealed.withUnsafeBytes {
            try SegmentCodec().messages(
                of: SealedSegment(name: name, header: associated, archiveKey: archive, ciphertext: $0))
        }
        #expect(opened == messages)
        return record
    }

    // MARK: Sets, beacons, messages

    private func addSets(_ page: inout VectorPage, _ records: [Record]) throws {
        page.section("sets")
        page.add("fingerprint of no rows", Fingerprint.ofNoRows.bytes)
        // The first two are at the borders of two chunks, the last two at one seq.
        let keys = zip([1_023, 1_024, 1_025, 5_000, 5_000], records).map { RowKey(seq: $0, hash: $1.hash) }.sorted()
        let chunks = [keys[..<1], keys[1..<3], keys[3...]].compactMap { Chunk($0) }
        for chunk in chunks { page.add("digest of chunk \(chunk.number)", chunk.digest.bytes) }
        page.add("fingerprint of three chunks", Fingerprint(of: chunks[...]).bytes)
        let zone = try AccountZone(
            database: Database(path: ":memory:"), keys: self.keys,
            deviceSecret: Secret(bytes: [UInt8](repeating: 0x33, count: 32)), entrance: .words(signer),
            random: CountingRandom(), now: .zero)
        try zone.store.begin()
        _ = try zone.membership.records.take([signer.enter(device).encoded])
        for record in records { try zone.store.put(record) }
        try zone.store.advance(device.lane, head: 5)
        try zone.commit()
        #expect(zone.store.recordCount == 5)
        page.add("fingerprint of the five records", try #require(zone.store.lane(device.lane)).fingerprint.bytes)
        for lane in zone.store.vector {
            page.add("digest's part of lane \(lane.id.hex)", part(lane))
        }
        page.add("digest", zone.store.digest.bytes)
    }

    private func part(_ lane: LaneState) -> [UInt8] {
        var part = ByteWriter()
        part.write(lane.id)
        part.write(u64: lane.head)
        part.write(lane.fingerprint)
        return part.bytes
    }

    private func addBeacon(_ page: inout VectorPage) {
        var random: any RandomSource = CountingRandom()
        let header = Beacon.Header(id: BeaconID(Self.tag), counter: 7, port: 4_001)
        let host = SocketAddress(ipv4: 0xC0A8_0114, port: 0)
        let digest = ZoneDigest(Bytes16(9, 10))
        let heard = BeaconID(Bytes16(13, 14))
        let key = sealer.current.discovery
        page.section("beacon")
        page.add("host", host.hostBytes)
        page.add("digest", digest.bytes)
        page.add("echoed id", heard.bytes)
        let echo = BeaconCodec.echo(of: heard, in: header, host: host, key: key)
        for (name, numbers) in [
            ("tag", [BeaconCodec.tag(header, host: host, key: key)]),
            ("check", [BeaconCodec.check(header, digest: digest, key: key)]), ("echo", [echo.tag, echo.check]),
        ] {
            page.add(name, numbers.flatMap { [UInt8](bigEndianBytesOf: $0, count: 8) })
        }
        page.add(
            "datagram",
            BeaconCodec.encode(
                header, host: host, zones: [(key, digest)], echoes: [(key, heard)], random: &random))
    }

    /// The example's device enters by the person, and a second one by the first; then the second is removed, and the
    /// first makes a new root.
    private func addLedger(_ page: inout VectorPage) throws {
        page.section("ledger")
        let second = DeviceKeys(
            deviceSecret: Secret(bytes: [UInt8](repeating: 0x44, count: 32)), tag: Self.tag)
        let person = keys.identity
        let first = signer.enter(device)
        let message = Enter.endorsed(
            lane: second.lane, member: MemberID(person: person, firstLane: .zero), isReplica: false,
            sealKey: second.sealing.publicKey, succeeds: .zero, zone: keys.zone)
        let paired = LedgerRecord(
            zone: keys.zone, signer: second.signing.publicKey, prev: .zero,
            act: .enter(
                Enter(
                    person: person, firstLane: .zero, sealKey: second.sealing.publicKey,
                    entrance: .lane(device.lane, device.signing.sign(message)))),
            sign: second.signing.sign)
        let remove = signer.remove([second.lane], heads: [paired.hash])
        let named = [
            ("genesis", keys.genesis), ("enter by the person", first), ("enter by a lane", paired), ("remove", remove),
        ]
        for (name, record) in named {
            page.add(name, record.encoded)
            page.add("\(name), hash", record.hash.bytes)
        }
        let ledger = try ZoneLedger(database: Database(path: ":memory:"), genesis: keys.genesis)
        #expect(try ledger.take([first, paired].map(\.encoded)).added.count == 2)
        page.add("digest of the first three", ledger.digest.bytes)
        #expect(try ledger.take([remove.encoded]).added == [remove.hash])
        #expect(ledger.state.standingLanes.map(\.lane) == [device.lane])
        try addRoot(&page, ledger, after: first)
    }

    private func addRoot(_ page: inout VectorPage, _ ledger: ZoneLedger, after first: LedgerRecord) throws {
        var random: any RandomSource = CountingRandom()
        var ring = RootRing(first: keys.firstRoot)
        let (secret, rotate) = ring.rotation(in: ledger.state, random: &random)
        func write(_ act: LedgerAct, after prev: LedgerRecord) throws -> LedgerRecord {
            let record = LedgerRecord(
                zone: keys.zone, signer: device.signing.publicKey, prev: prev.hash, act: act,
                sign: device.signing.sign)
            #expect(try ledger.take([record.encoded]).added == [record.hash])
            return record
        }
        let announced = try write(.rotate(rotate), after: first)
        let root = ZoneRoot(rotate: announced.hash, secret: secret)
        ring.add(root)
        let duties = ledger.state.duties(of: LaneKey(device.lane, of: ledger.state.owner), holding: ring)
        let recipients = try #require(duties.seals[root.rotate])
        // The person is the only other recipient, since the device that made the root has it.
        #expect(recipients == [Seal.Recipient(id: keys.identity.storage, key: signer.recovery.publicKey)])
        let sealed = try write(.seal(Seal(root, to: recipients, random: &random)), after: announced)
        page.add("rotate", announced.encoded)
        page.add("root 2", secret)
        add(root, "2", &page)
        page.add("number of root 2 in records", [UInt8](bigEndianBytesOf: root.id, count: 4))
        page.add("seal", sealed.encoded)
        var restored = RootRing(first: keys.firstRoot)
        let learned = restored.learn(from: ledger.state, as: keys.identity.storage, with: signer.recovery)
        #expect(learned.map(\.rotate) == [root.rotate])
    }

    private func addMessages(_ page: inout VectorPage) {
        page.section("messages")
        let hash = [UInt8](repeating: 3, count: 32)
        page.add("handshake hash", hash)
        for (name, side) in [("hello", Hello.Side.initiator), ("hello of the responder", .responder)] {
            let body = Hello.Body(
                lane: device.lane, instance: InstanceID(Bytes16(11, 12)), digest: ZoneDigest(Bytes16(9, 10)),
                ledger: Bytes16(15, 16), port: 4_001)
            let context = Hello.Context(side: side, zone: keys.zone, handshakeHash: hash)
            let hello = Hello(body, in: context, device: device.signing)
            page.add("\(name), signed by the device", body.deviceMessage(context))
            page.add(name, Message.hello(hello).encoded)
        }
        for (number, message) in MessageTests.samples.dropFirst().enumerated() {
            page.add("\(number + 1) \("\(message)".prefix { $0 != "(" })", message.encoded)
        }
    }
}
