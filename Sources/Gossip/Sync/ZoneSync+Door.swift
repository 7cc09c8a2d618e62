import NodeCore
import SyncState

/// Opening a session (docs/PROTOCOL.md, §7.3): the initiator says HELLO and is judged, then the responder. An unknown
/// peer may show vouchers; its other messages are held meanwhile, and it is told nothing. A peer whose access has ended
/// is told so, and nothing else.
extension ZoneSync {
    func sendHello(to id: SessionID) {
        guard let session = sessions[id] else { return }
        for entry in ownEntries { session.tell(entry) }
        session.ledger.toldDigest = zone.ledger.digest
        session.ledger.sentCount = zone.ledger.arrivals.count
        let body = Hello.Body(
            lane: zone.lane, instance: instance, digest: store.digest, ledger: session.ledger.toldDigest,
            port: port ?? 0)
        let context = session.context(of: session.side, zone: zone.zone)
        send(.hello(Hello(body, in: context, device: store.device.signing)), to: id)
    }

    func greet(_ hello: Hello, on id: SessionID) throws {
        guard let session = sessions[id] else { return }
        guard session.introduction.unknown == nil else { return drop(id, .violation("a message out of turn")) }
        // Nothing that it says counts before this: what this node said itself would come back with the wrong side.
        let message = hello.body.deviceMessage(session.context(of: session.side.other, zone: zone.zone))
        let lane = hello.body.lane.storage
        guard hello.proof.isEmpty,
            Ed25519.verify(signature: hello.deviceSignature, message: message, publicKey: lane)
        else { return drop(id, .wrongHello) }
        switch zone.membership.standing(of: hello.body.lane) {
        case .wrong: drop(id, .wrongHello)
        case .dismissed(let why): dismiss(id, why)
        case .unknown:
            session.introduction.unknown = hello
            session.extendGreeting(now: now)
            send(.who, to: id)
        case .proven: try admit(hello, on: id)
        }
    }

    /// Ends a session with a peer that speaks none of our versions, after telling it ours.
    func part(from versions: [UInt16], on id: SessionID) {
        guard let session = sessions[id] else { return }
        if !session.isInitiator { send(.foreignHello(versions: Limits.protocolVersions), to: id) }
        drop(id, .otherVersion(versions.max() ?? 0))
    }

    /// Accepts a peer that belongs to the zone.
    private func admit(_ hello: Hello, on id: SessionID) throws {
        guard let session = sessions[id] else { return }
        if !session.isInitiator { sendHello(to: id) }
        if hello.body.instance == instance { return drop(id, .isSelf) }
        if hello.body.lane == zone.lane {
            // Another running device has this key: both start afresh.
            return try store.startAfresh(.clone)
        }
        if let (other, kept) = duplicate(of: hello, besides: id) {
            drop(kept == id ? other : id, .duplicate)
            if kept != id { return }
        }
        // Earlier runs of a device end by their silence; of many at once the oldest ends now.
        let runs = sessionIDs.filter { $0 != id && sessions[$0]?.peer == hello.body.lane }
        if runs.count >= Limits.runsOfDevice { drop(runs[0], .tooManySessions) }
        session.hello = hello
        if hello.body.ledger == session.ledger.toldDigest { return goLive(id) }
        session.phase = .settling(hello.body.lane)
        session.extendGreeting(now: now, by: Limits.ledgerBound)
        ledgers.sendNames(to: id)
    }

    /// The two ends agree on who belongs to the zone, and begin.
    func goLive(_ id: SessionID) {
        guard let session = sessions[id], let hello = session.hello else { return }
        session.phase = .live(hello.body.lane)
        noteConnected()
        actions.append(.connected(id, hello.body.lane, port: hello.body.port == 0 ? nil : hello.body.port))
        needsLook = true
        if hello.body.digest == store.digest {
            for lane in store.vector { session.view[lane.id] = VectorEntry(lane) }
            session.hasView = true
            // The peer knows what this node held at its own HELLO, perhaps less or more than now.
            publish(Set(ownEntries.map(\.lane)).union(session.told.keys).sorted(), to: [id])
        } else {
            sendVector(to: id)
        }
    }

    /// The session with the same run of the same device, and which of the two stays: the one that the lower device key
    /// opened, so that both ends agree. One with an earlier run ends by its silence.
    private func duplicate(of hello: Hello, besides id: SessionID) -> (other: SessionID, kept: SessionID)? {
        let other = sessionIDs.first { other in
            let known = sessions[other]?.hello?.body
            return other != id && known?.lane == hello.body.lane && known?.instance == hello.body.instance
        }
        guard let other else { return nil }
        let ownIsLower = zone.lane < hello.body.lane
        let pair = [min(id, other), max(id, other)]
        return (other, pair.first { sessions[$0]?.isInitiator == ownIsLower } ?? pair[0])
    }

    /// Handles messages about membership after HELLO.
    func handleDoor(_ message: Message, on id: SessionID) throws {
        switch message {
        case .who: vouch(on: id)
        case .vouch(let vouchers): try take(vouchers: vouchers, on: id)
        case .dismiss(let why): partings.take(dismissal: why, on: id)
        default: break
        }
    }

    /// Sends vouchers to a peer that does not know this node: once a session.
    func vouch(on id: SessionID) {
        guard sessions[id]?.introduction.hasVouched == false else {
            drop(id, .violation("vouchers asked for twice"))
            return
        }
        sessions[id]?.introduction.hasVouched = true
        let vouchers = zone.vouchers
        send(.vouch(vouchers.count < Limits.messageBytes ? vouchers : []), to: id)
    }

    func take(vouchers: [UInt8], on id: SessionID) throws {
        guard let session = sessions[id], let hello = session.introduction.unknown else {
            drop(id, .violation("vouchers that were not asked for"))
            return
        }
        session.introduction.unknown = nil
        switch try zone.membership.standing(of: hello.body.lane, shown: vouchers) {
        case .proven: try admit(hello, on: id)
        case .dismissed(let why): dismiss(id, why)
        case .unknown, .wrong: drop(id, .notMember)
        }
        let held = session.introduction.held
        session.introduction.held = []
        for bytes in held {
            guard sessions[id] != nil else { return }
            try process(bytes, on: id)
        }
    }

    /// Keeps messages of a peer until it is known whether it belongs here.
    func hold(_ bytes: [UInt8], on id: SessionID) {
        guard let session = sessions[id], session.introduction.unknown != nil else {
            drop(id, .violation("a message out of turn"))
            return
        }
        session.introduction.held.append(bytes)
        let heldBytes = session.introduction.held.reduce(0) { $0 + $1.count }
        if session.introduction.held.count > Limits.heldMessages || heldBytes > Limits.heldBytes {
            drop(id, .violation("too much before it is known"))
        }
    }
}

extension Message {
    /// Whether a message is only accepted from known members of the zone.
    var isOfMembers: Bool {
        switch self {
        case .hello, .foreignHello, .bye, .busy, .who, .vouch, .dismiss: false
        default: true
        }
    }
}
