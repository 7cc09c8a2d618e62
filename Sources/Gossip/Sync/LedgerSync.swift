import Ledger
import NodeCore
import SyncState

/// Makes two ledgers equal (docs/PROTOCOL.md, §7.3): before anything else is said, and with each commit. Each end names
/// its records, and sends the other those that it lacks; then both judge again.
struct LedgerSync {
    let sync: ZoneSync

    private var ledger: ZoneLedger { sync.zone.ledger }

    /// Names this node's records, in messages that fit.
    func sendNames(to id: SessionID) {
        var rest = ledger.names[...]
        repeat {
            let part = rest.prefix(Limits.namesInMessage)
            rest = rest.dropFirst(part.count)
            sync.send(.names(isLast: rest.isEmpty, Array(part)), to: id)
        } while !rest.isEmpty
    }

    /// Takes a part of the peer's names. After the last one, the peer is sent the records that it lacks.
    func answer(names: [Bytes16], isLast: Bool, on id: SessionID) {
        guard let session = sync.sessions[id], !session.ledger.hasAnswered else {
            return sync.drop(id, .violation("a message out of turn"))
        }
        if session.ledger.unnamed == nil {
            session.ledger.unnamed = Set(ledger.names)
            session.ledger.sentCount = ledger.arrivals.count
        }
        session.ledger.unnamed?.subtract(names)
        guard isLast, let lacked = session.ledger.unnamed else { return }
        session.ledger.unnamed = nil
        session.ledger.hasAnswered = true
        send(ledger: ledger.records(named: lacked).map(\.encoded), to: id, asLast: true)
        beginIfSettled(id)
    }

    /// Takes a part of the records that the peer has and this node lacks.
    func settle(_ records: [[UInt8]], isLast: Bool, on id: SessionID) throws {
        guard let session = sync.sessions[id], !session.ledger.isAnswered else {
            return sync.drop(id, .violation("a message out of turn"))
        }
        guard let parts = collect(records, isLast: isLast, on: id) else { return }
        let taken = sync.counters.ledgerRecordsTaken
        guard try take(ledger: parts, on: id) else { return }
        guard isLast else {
            // A peer that brings news gets more time.
            if sync.counters.ledgerRecordsTaken > taken {
                session.extendGreeting(now: sync.now, by: Limits.ledgerBound)
            }
            return
        }
        session.ledger.isAnswered = true
        beginIfSettled(id)
    }

    /// The parts of an answer that are taken together, once they are here: usually all of it.
    private func collect(_ records: [[UInt8]], isLast: Bool, on id: SessionID) -> [[UInt8]]? {
        guard let session = sync.sessions[id] else { return nil }
        session.ledger.parts += records
        session.ledger.partsBytes += records.reduce(0) { $0 + $1.count }
        guard isLast || session.ledger.partsBytes >= Limits.ledgerBytes else { return nil }
        defer { (session.ledger.parts, session.ledger.partsBytes) = ([], 0) }
        return session.ledger.parts
    }

    // MARK: What the person signed

    /// Gives a peer that dismissed this node the records that the person signed.
    func handIn(to id: SessionID) {
        send(ledger: ledger.removes.map(\.encoded), to: id, asLast: true)
    }

    /// Takes the records that the person signed from a peer that was dismissed, and nothing else. True at their end;
    /// false before, and if the session ended.
    func take(handedIn records: [[UInt8]], isLast: Bool, on id: SessionID) throws -> Bool {
        guard let parts = collect(records, isLast: isLast, on: id) else { return false }
        return try take(ledger: ledger.removes(among: parts), on: id) && isLast
    }

    // MARK: Live sessions

    /// Takes control records of a live peer. The first message of a turn is taken at once, since rows that need it may
    /// follow; later ones are taken together at the turn's end: each taking judges the whole ledger, and a peer may
    /// send each record by itself.
    func hear(_ records: [[UInt8]], on id: SessionID) throws {
        guard let session = sync.sessions[id] else { return }
        let isFirst = !session.ledger.hasHeard
        session.ledger.hasHeard = true
        guard let parts = collect(records, isLast: isFirst, on: id) else { return }
        try take(ledger: parts, on: id)
    }

    /// Part of the end of each turn, before its commit.
    func takeHeard() throws {
        for id in sync.sessionIDs {
            guard let session = sync.sessions[id], session.ledger.hasHeard else { continue }
            session.ledger.hasHeard = false
            // From a peer dismissed meanwhile, only what the person signed is taken.
            guard case .live = session.phase else { continue }
            if let parts = collect([], isLast: true, on: id), !parts.isEmpty { try take(ledger: parts, on: id) }
        }
    }

    /// Takes control records of a peer. False if the session ended. A new one of this device's own lane was written by
    /// a copy of this device, or before its store went back in time.
    @discardableResult
    func take(ledger records: [[UInt8]], on id: SessionID) throws -> Bool {
        try sync.store.begin()
        let taking = try ledger.take(records)
        sync.sessions[id]?.ledger.fromPeer.formUnion(taking.added)
        sync.counters.ledgerRecordsTaken += UInt64(taking.added.count)
        guard !taking.isForged else {
            sync.drop(id, .violation("a forged control record"))
            return false
        }
        let (set, own) = (ledger.state.set, sync.store.device.lane)
        let isForked = taking.added.contains { set[$0].map { $0.lane == own && !$0.isEnter } ?? false }
        if isForked { try sync.store.startAfresh(.forked) }
        return true
    }

    /// Begins once both ends have answered, if the peer still belongs here.
    private func beginIfSettled(_ id: SessionID) {
        guard let session = sync.sessions[id], let hello = session.hello, session.ledger.hasAnswered,
            session.ledger.isAnswered
        else { return }
        switch sync.zone.membership.standing(of: hello.body.lane) {
        case .proven: sync.goLive(id)
        case .dismissed(let why): sync.dismiss(id, why)
        case .unknown, .wrong: sync.drop(id, .notMember)
        }
    }

    /// Part of the end of each turn: live peers are sent the control records of its commit.
    func passOn() {
        let arrivals = ledger.arrivals
        for id in sync.sessionIDs {
            guard let session = sync.sessions[id], session.hasBegunLedger, session.ledger.sentCount < arrivals.count
            else {
                continue
            }
            let news = arrivals[session.ledger.sentCount...].filter { !session.ledger.fromPeer.contains($0) }
            session.ledger.sentCount = arrivals.count
            session.ledger.fromPeer = []
            let records = news.compactMap { ledger.state.set[$0]?.encoded }
            if !records.isEmpty { send(ledger: records, to: id, asLast: false) }
        }
    }

    /// Sends control records in messages that fit.
    private func send(ledger records: [[UInt8]], to id: SessionID, asLast: Bool) {
        var part: [[UInt8]] = []
        var sizeBytes = 0
        for record in records {
            if sizeBytes + record.count > Limits.payloadBytes {
                sync.send(.ledger(isLast: false, part), to: id)
                (part, sizeBytes) = ([], 0)
            }
            part.append(record)
            sizeBytes += record.count
        }
        if asLast || !part.isEmpty { sync.send(.ledger(isLast: asLast, part), to: id) }
    }
}

extension PeerSession {
    /// Whether this node has answered the peer's names, or the two ledgers were equal: what comes later is passed on.
    fileprivate var hasBegunLedger: Bool { ledger.hasAnswered || peer != nil }
}
