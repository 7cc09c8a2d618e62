import Chat
import ChatTestKit
import Gossip
import Ledger
import NodeCore
import ProcessHarness
import SyncState
import Transport

/// Somebody who has a zone in common with a node, and asks over 64 sessions of as many devices as fast as it answers,
/// for a minute at most. A device that loses its session comes back.
final class AskersWorker {
    static let sessions = 64
    private static let rows: UInt64 = 20_000
    /// Answers that a session waits for at most.
    private static let answersAwaited = 512

    private let signer: AccountSigner
    private let address: SocketAddress
    private let loop: EventLoop
    private var askers: [Asker] = []
    private var asked: Int64 = 0

    static func run(port: UInt16, phraseFile: String) throws {
        try AskersWorker(AccountSigner(phraseFile: phraseFile), port: port).work()
    }

    private init(_ signer: AccountSigner, port: UInt16) throws {
        self.signer = signer
        address = SocketAddress(ipv4: 0x7F00_0001, port: port)
        loop = try EventLoop()
        askers = try (0..<Self.sessions).map { try Asker(UInt8($0 + 1), signer) }
    }

    private func work() throws {
        let time = Stopwatch()
        var told: Int64 = 0
        try askers[0].zone.write(rows: Self.rows)
        let lane = askers[0].zone.lane
        while time.elapsed < .seconds(60) {
            try loop.turn(limit: .milliseconds(20))
            for asker in askers {
                if !asker.isOpen { try asker.connect(to: address, on: loop) }
                // Time for the rows to arrive.
                if time.elapsed > .seconds(5) { asked += asker.ask(lane, Self.rows, Self.answersAwaited) }
                asker.flush()
            }
            guard asked > 0, time.elapsed >= .seconds(told + 6) else { continue }
            told += 1
            let asking = (time.elapsed - .seconds(5)) / .nanoseconds(1)
            Worker.say("asked", asked, Int64(asking), Int64(askers.count { $0.isLive }))
        }
    }
}

extension AccountSigner {
    /// Of the account whose words the file holds.
    init(phraseFile: String) throws {
        guard let phrase = FileTree.read(phraseFile) else { throw BenchError("no phrase in \(phraseFile)") }
        let text = String(decoding: phrase, as: UTF8.self).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        try self.init(seed: Mnemonic(phrase: text).seed())
    }
}

/// A device of the zone, with a lane of its own that no node holds.
private final class Asker {
    let zone: AccountZone
    private var stream: StreamConnection?
    private var session: SessionMachine?
    private var output = OutputBuffer()
    private var awaited = 0
    private var hasGiven = false
    private(set) var isLive = false

    init(_ number: UInt8, _ signer: AccountSigner) throws {
        zone = try AccountZone(
            database: Database(path: ":memory:"), keys: signer.keys,
            deviceSecret: Secret(bytes: [UInt8](repeating: number, count: 32)), entrance: .words(signer),
            random: SystemRandom(), now: .zero)
        try zone.commit()
    }

    var isOpen: Bool { stream.map { !$0.isClosed } ?? false }

    func connect(to address: SocketAddress, on loop: EventLoop) throws {
        var random = SystemRandom()
        let root = zone.keys.firstRoot
        session = SessionMachine(
            initiatorWith: DoorKeys(discovery: root.discovery, psk: root.session), random: &random,
            now: SystemClock().now())
        (output, awaited, isLive) = (OutputBuffer(), 0, false)
        let stream = try StreamConnection(connectingTo: address, on: loop)
        stream.handler = { [unowned self] event, now in take(event, now) }
        self.stream = stream
    }

    private func take(_ event: StreamEvent, _ now: MonotonicTime) {
        switch event {
        case .connected, .writable: break
        case .bytes(let bytes): for event in session?.receive(bytes, now: now) ?? [] { take(event) }
        case .endOfInput, .failed: close()
        }
    }

    private func take(_ event: SessionEvent) {
        switch event {
        case .failed: close()
        case .established(_, let hash): greet(hash)
        case .message(let bytes):
            switch try? Message(decoding: bytes) {
            case .who: send(.vouch(zone.vouchers))
            case .names(isLast: true, let names): settle(names)
            case .ledger(isLast: true, _): giveRows()
            case .ranges, .keys: awaited -= 1
            case .bye, .busy: close()
            default: break
            }
        }
    }

    private func close() {
        stream?.close()
        isLive = false
    }

    private func greet(_ hash: [UInt8]) {
        var random = SystemRandom()
        let body = Hello.Body(
            lane: zone.lane, instance: random.identifier(), digest: zone.store.digest,
            ledger: zone.membership.records.digest, port: 0)
        let context = Hello.Context(side: .initiator, zone: zone.zone, handshakeHash: hash)
        send(.hello(Hello(body, in: context, device: zone.store.device.signing)))
    }

    /// Gives what a node's ledger lacks; its own it leaves as it is.
    private func settle(_ names: [Bytes16]) {
        let ledger = zone.membership.records
        send(.names(isLast: true, ledger.names))
        send(.ledger(isLast: true, ledger.records(named: Set(ledger.names).subtracting(names)).map(\.encoded)))
    }

    /// Everything that it has written, unasked.
    private func giveRows() {
        isLive = true
        guard !hasGiven else { return }
        hasGiven = true
        let rows = (try? zone.store.records(of: zone.lane).map(\.encoded)) ?? []
        for start in stride(from: 0, to: rows.count, by: 150) {
            send(.rows(Array(rows[start..<min(start + 150, rows.count)])))
        }
    }

    /// Asks again as far as there is room: sixteen ranges at once, each of a chunk less a row, of which each row must
    /// be read.
    ///
    /// - Returns: how many ranges it asked about.
    func ask(_ lane: LaneID, _ rows: UInt64, _ most: Int) -> Int64 {
        guard isLive else { return 0 }
        let (size, chunks) = (SyncState.Limits.chunkSeqs, rows / SyncState.Limits.chunkSeqs)
        var asked: Int64 = 0
        while awaited + 16 <= most {
            let ranges = (0..<16 as Range<UInt64>).map { number in
                RangeSum(
                    low: number % chunks * size, high: number % chunks * size + size - 2,
                    fingerprint: Fingerprint(Bytes16(1, 1)), count: rows)
            }
            send(.ranges(lane: lane, ranges))
            awaited += 16
            asked += 16
        }
        return asked
    }

    private func send(_ message: Message) { session?.enqueue(message.encoded, priority: .control) }

    func flush() {
        guard let stream, stream.isOpen else { return }
        session?.drain(upTo: 1 << 20, into: &output)
        do {
            try stream.write(&output)
        } catch {
            close()
        }
    }
}

extension AccountZone {
    /// Small records without a blob.
    fileprivate func write(rows: UInt64) throws {
        for number in 0..<rows {
            let name = OpaqueName("row \(number)")
            try store.write(RecordMeta(type: .opaque, fields: name.encoded), slotName: name.slotName, kind: .immutable)
        }
        try commit()
    }
}
