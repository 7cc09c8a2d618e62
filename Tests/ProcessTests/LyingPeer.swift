import Chat
import Ledger
import NodeCore
import ProcessHarness
import SyncState
import Testing
import Transport

@testable import Gossip

/// A peer that has the keys of a zone's device, and uses them as no node would.
final class LyingPeer<Zone: ReplicatedZone> {
    let zone: Zone
    private let probe: TCPProbe
    private let session: SessionMachine
    private var output = OutputBuffer()
    private var handshakeHash: [UInt8]?
    private var received: [Message] = []
    /// The number of wants that were answered.
    private var lackedWants = 0

    /// Connects to a node and shakes hands, with the zone's newest keys.
    init(as zone: Zone, at port: UInt16) throws {
        self.zone = zone
        let places = zone.zoneAccess.keys
        var random = SystemRandom()
        session = SessionMachine(
            initiatorWith: DoorKeys(discovery: places.discovery[0], psk: places.session[0]),
            random: &random, now: SystemClock().now())
        probe = try TCPProbe(port: port)
        let deadline = Deadline(after: Deadline.patience)
        while handshakeHash == nil && !deadline.hasPassed { pump(within: .milliseconds(5)) }
        try #require(handshakeHash != nil, "the handshake with the zone's keys succeeds")
    }

    /// Says HELLO as a node does, shows its path if the node asks for it, and makes the ledgers equal.
    ///
    /// - Parameter digest: what it claims to hold; nil for what it does hold.
    func greet(digest: ZoneDigest? = nil) throws {
        let ledger = zone.ledger.digest
        try sayHello(digest: digest)
        try wait { if case .hello = $0 { true } else { false } }
        let theirs = received.lazy.compactMap { if case .hello(let hello) = $0 { hello.body.ledger } else { nil } }
        if theirs.first != ledger { try wait { if case .ledger(isLast: true, _) = $0 { true } else { false } } }
        pump(within: .zero)
    }

    /// Says HELLO, and waits for nothing.
    func sayHello(digest: ZoneDigest? = nil) throws {
        let hash = try #require(handshakeHash)
        var random = SystemRandom()
        let body = Hello.Body(
            lane: zone.lane, instance: random.identifier(), digest: digest ?? zone.store.digest,
            ledger: zone.ledger.digest, port: 0)
        let context = Hello.Context(side: .initiator, zone: zone.zone, handshakeHash: hash)
        send(.hello(Hello(body, in: context, device: zone.store.device.signing)))
    }

    /// Waits for the node's HELLO, and sends the whole vector, as a node with a different digest does.
    func compare() throws {
        try wait { if case .hello = $0 { true } else { false } }
        send(.vector(scope: .whole, entries: zone.store.vector.map { VectorEntry($0) }))
    }

    /// Claims to hold everything that the node has shown so far.
    func holdAll() throws {
        try wait { if case .vector = $0 { true } else { false } }
        for case .vector(_, let entries) in received { send(.vector(scope: .update, entries: entries)) }
    }

    func send(_ message: Message) { send(message.encoded) }

    func send(_ bytes: [UInt8]) {
        session.enqueue(bytes, priority: .control)
        pump(within: .zero)
    }

    /// Waits for a message that fulfils the condition.
    func wait(within duration: Duration = Deadline.patience, for condition: (Message) -> Bool) throws {
        let deadline = Deadline(after: duration)
        while !received.contains(where: condition) {
            if deadline.hasPassed { throw HarnessError.timedOut(waitingFor: "a message of the node") }
            pump(within: .milliseconds(50))
        }
    }

    /// Receives what the node says in that time.
    func listen(for duration: Duration) { pump(within: duration) }

    /// Makes the node compare a range of this lane with a fingerprint that matches nothing.
    func ask(from low: UInt64, through high: UInt64, count: UInt64) {
        let range = RangeSum(low: low, high: high, fingerprint: Fingerprint(Bytes16(1, 1)), count: count)
        send(.ranges(lane: zone.lane, [range]))
    }

    /// Gives the blob of a record that the node has asked for.
    func give(_ record: Record) throws {
        let blobClass = received.lazy.compactMap { if case .want(let asked, _) = $0 { asked } else { nil } }.first
        let reference = try #require(record.blob)
        let blob = try zone.store.blob(of: record.lane, seq: record.seq, hashPrefix: reference.hash.shortPrefix)
        send(.blob(try #require(blobClass), try #require(blob)[...]))
    }

    /// Says of each requested blob that it is not here.
    func lackAll() {
        let wants = received.flatMap { message -> [BlobClass] in
            guard case .want(let blobClass, let groups) = message else { return [] }
            return groups.flatMap { $0.blobs.map { _ in blobClass } }
        }
        for blobClass in wants.dropFirst(lackedWants) { send(.missing(blobClass)) }
        lackedWants = wants.count
    }

    /// Whether the node closes the connection. What it has said so far is received first; what it says during the wait
    /// is discarded.
    func isClosed(within duration: Duration = Deadline.patience) -> Bool {
        pump(within: .milliseconds(100))
        return probe.isClosed(within: duration)
    }

    /// Shows that it belongs to the zone, and makes the ledgers equal.
    private func answer(_ message: Message) {
        switch message {
        case .who: queue(.vouch(zone.vouchers))
        case .names(_, let names):
            let ledger = zone.ledger
            queue(.names(isLast: true, ledger.names))
            queue(.ledger(isLast: true, ledger.records(named: Set(ledger.names).subtracting(names)).map(\.encoded)))
        default: break
        }
    }

    private func queue(_ message: Message) { session.enqueue(message.encoded, priority: .control) }

    private func pump(within duration: Duration) {
        session.drain(upTo: 1 << 20, into: &output)
        let bytes = output.withUnsafeBytes { Array($0) }
        output.consume(bytes.count)
        _ = probe.send(bytes)
        guard duration > .zero else { return }
        for event in session.receive(probe.receive(within: duration), now: SystemClock().now()) {
            switch event {
            case .established(_, let hash): handshakeHash = hash
            case .message(let bytes):
                guard let message = try? Message(decoding: bytes) else { break }
                received.append(message)
                answer(message)
            case .failed: break
            }
        }
        session.drain(upTo: 1 << 20, into: &output)
    }
}

extension LyingPeer<AccountZone> {
    /// Makes a new device that comes in by the account's words.
    convenience init(port: UInt16, phrase: String) throws {
        let random = SystemRandom()
        let signer = AccountSigner(seed: try Mnemonic(phrase: phrase).seed())
        var source: any RandomSource = random
        let zone = try AccountZone(
            database: Database(path: ":memory:"), keys: signer.keys,
            deviceSecret: Secret(random: &source, count: 32), entrance: .words(signer), random: random,
            now: SystemClock().now())
        try zone.commit()
        try self.init(as: zone, at: port)
    }

    /// Shakes hands and gives records without their blobs, until the node asks for these.
    @discardableResult
    func giveRecordsWithoutBlobs(_ count: Int) throws -> [Record] {
        for number in 0..<count { try zone.opaque.add(name: "thing \(number)", [UInt8](repeating: 1, count: 5_000)) }
        try zone.commit()
        let records = zone.store.takeWritten().map(\.record)
        let last = try #require(records.last)
        try greet()
        try compare()
        try holdAll()
        try wait { if case .pull = $0 { true } else { false } }
        send(
            .page(
                lane: last.lane, through: last.seq, target: last.seq, isDone: true, rows: records.map(\.encoded)))
        try wait { if case .want(_, _) = $0 { true } else { false } }
        return records
    }

    /// Gives many small records of its own lane, unasked.
    func giveRows(_ count: Int) throws {
        for number in 0..<count {
            let name = OpaqueName("row \(number)")
            try zone.store.write(
                RecordMeta(type: .opaque, fields: name.encoded), slotName: name.slotName, kind: .immutable)
        }
        try zone.commit()
        let rows = zone.store.takeWritten().map(\.record.encoded)
        for start in stride(from: 0, to: rows.count, by: 150) {
            send(.rows(Array(rows[start..<min(start + 150, rows.count)])))
        }
    }
}
