import Chat
import ChatTestKit
import Ledger
import NodeCore
import SyncState

@testable import Gossip

/// A real node with its store in memory, and what happened to its sessions.
final class SyncBench {
    static let account = AccountSigner(seed: Secret(bytes: [UInt8](repeating: 7, count: 64)))
    static let hash = [UInt8](repeating: 3, count: 32)

    let database: Database
    let zone: AccountZone
    let sync: ZoneSync
    var now = MonotonicTime.zero
    /// Messages that wait for each session's peer.
    private(set) var outbox: [SessionID: [Message]] = [:]
    private(set) var sentBytes: [SessionID: Int] = [:]
    /// Records given by ROWS.
    private(set) var givenRows = 0
    private(set) var closed: [SessionID: CloseReason] = [:]
    /// Whether another bench, rather than a scripted peer, is at the other end.
    private var isMet = false
    /// The automatic replies of scripted peers.
    private var answers: [(id: SessionID, message: Message)] = []
    /// The devices of the account that tests use.
    private static let devices = (1..<48).map { ScriptedPeer(UInt8($0)).enter.encoded }

    init(_ number: UInt8, account: AccountSigner = SyncBench.account) throws {
        var random: any RandomSource = SeededRandom(seed: UInt64(number))
        database = try TestZone.emptyDatabase()
        zone = try AccountZone(
            database: database, keys: account.keys,
            deviceSecret: Secret(bytes: [UInt8](repeating: number, count: 32)), entrance: .words(account),
            random: random.split(), now: .zero)
        sync = ZoneSync(zone: zone, instance: random.identifier())
        _ = try zone.membership.records.take(
            account.keys.accountID == Self.account.keys.accountID
                ? Self.devices : (1..<48).map { ScriptedPeer(UInt8($0), account: account).enter.encoded })
        try turn()
    }

    var store: ZoneStore { zone.store }

    func open(_ id: SessionID, isInitiator: Bool = false) throws {
        sync.opened(id, isInitiator: isInitiator, handshakeHash: Self.hash, now: now)
        try turn()
    }

    /// Takes messages in one turn.
    func take(_ messages: [Message], on id: SessionID) throws {
        for message in messages { try sync.received(message.encoded, on: id, now: now) }
        try turn()
    }

    func take(_ message: Message, on id: SessionID) throws { try take([message], on: id) }

    /// Takes one message repeatedly in one turn, as long as the session lives.
    func take(_ message: Message, times: Int, on id: SessionID) throws {
        let bytes = message.encoded
        for _ in 0..<times where sync.sessions[id] != nil { try sync.received(bytes, on: id, now: now) }
        try turn()
    }

    func turn() throws {
        try sync.endTurn(now: now)
        collect()
        while !answers.isEmpty {
            let said = answers
            answers = []
            for (id, message) in said { try sync.received(message.encoded, on: id, now: now) }
            try sync.endTurn(now: now)
            collect()
        }
    }

    func produce(_ id: SessionID, budgetBytes: Int = 65_536, rows: UInt64 = .max) throws {
        try sync.produce(on: id, budgetBytes: budgetBytes, rows: rows)
        collect()
    }

    func pass(_ duration: Duration) throws {
        now = now + duration
        sync.tick(now: now)
        try turn()
    }

    private func collect() {
        for action in sync.takeActions() {
            switch action {
            case .send(let id, let bytes, _):
                precondition(bytes.count <= Limits.messageBytes, "no session can carry this message")
                sentBytes[id, default: 0] += bytes.count
                // A node sends only messages of the protocol.
                guard let message = try? Message(decoding: bytes) else { continue }
                if case .rows(let rows) = message { givenRows += rows.count }
                if !isMet, case .names = message {
                    // The scripted peer has the same ledger.
                    answers += [(id, message), (id, .ledger(isLast: true, []))]
                    continue
                }
                if !isMet, case .ledger(isLast: true, _) = message { continue }
                outbox[id, default: []].append(message)
            case .close(let id, let reason): closed[id] = reason
            case .dial, .connected, .synced, .news, .note: break
            }
        }
    }

    func takeOutbox(_ id: SessionID) -> [Message] {
        defer { outbox[id] = [] }
        return outbox[id] ?? []
    }

    /// Lets this node and another talk on a session until both are quiet.
    ///
    /// - Parameter rows: the number of rows that a turn may read for the other.
    func talk(_ other: SyncBench, _ id: SessionID, rows: UInt64 = .max) throws {
        for _ in 0..<2_000 {
            let (mine, theirs) = (takeOutbox(id), other.takeOutbox(id))
            if mine.isEmpty, theirs.isEmpty, !sync.isServing(id), !other.sync.isServing(id) { return }
            try other.take(mine, on: id)
            try take(theirs, on: id)
            try other.produce(id, rows: rows)
            try produce(id, rows: rows)
        }
    }

    /// Declares another bench the other end of all sessions, which answers for itself.
    func faces(_ other: SyncBench) { (isMet, other.isMet) = (true, true) }

    /// Meets another node on a session of its own.
    func meet(_ other: SyncBench, _ id: SessionID, rows: UInt64 = .max) throws {
        faces(other)
        try open(id, isInitiator: true)
        try other.open(id)
        try talk(other, id, rows: rows)
    }

    func accept(_ text: String, seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let message = ChatMessage(
            txid: random.identifier(), conversationID: "c\(seed % 3)", contact: "ada", direction: .received,
            senderTimestamp: 1_700_000_000 + seed, status: .pending, body: text)
        _ = try zone.accept(message, now: now)
        try zone.cut(force: true, now: now)
        try turn()
    }

    var isViolation: (SessionID) -> Bool {
        { self.closed[$0]?.violation != nil }
    }
}
