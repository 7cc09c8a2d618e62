import NodeCore
import SyncState

/// Deciding with whom to keep a session. An unknown peer may show vouchers; its other messages are held meanwhile, and
/// it is told nothing. A peer whose access has ended is told so, and nothing else.
extension ZoneSync {
    /// Judges the peer of a session after its HELLO.
    func judge(_ hello: Hello, on id: SessionID) throws {
        guard let session = sessions[id] else { return }
        switch zone.standing(proven(by: hello, on: session), proof: hello.accountSignature) {
        case .wrong: drop(id, .violation("a signature that does not fit"))
        case .dismissed(let why): dismiss(id, why)
        case .unknown:
            sessions[id]?.unknown = hello
            send(.who, to: id)
        case .proven: try admit(hello, on: id)
        }
    }

    /// The message that a peer must sign as a member of the zone.
    private func proven(by hello: Hello, on session: PeerSession) -> [UInt8] {
        hello.accountMessage(session.side.other, session.handshakeHash)
    }

    /// Handles messages about membership after HELLO.
    func handleDoor(_ message: Message, on id: SessionID) throws {
        switch message {
        case .who: vouch(on: id)
        case .vouch(let vouchers): try take(vouchers: vouchers, on: id)
        case .dismiss(let why):
            try zone.take(dismissal: why)
            // A peer that says so says nothing else: judging it takes a look at the whole control log.
            forget(id)
            actions.append(.close(id, .peerLeft(.notMember)))
        default: break
        }
    }

    private func dismiss(_ id: SessionID, _ why: [UInt8]) {
        if why.count < Limits.messageBytes { send(.dismiss(why), to: id) }
        drop(id, .notMember)
    }

    /// Sends vouchers to a peer that does not know this node: once a session.
    func vouch(on id: SessionID) {
        guard sessions[id]?.hasVouched == false else {
            drop(id, .violation("vouchers asked for twice"))
            return
        }
        sessions[id]?.hasVouched = true
        let vouchers = zone.vouchers
        send(.vouch(vouchers.count < Limits.messageBytes ? vouchers : []), to: id)
    }

    func take(vouchers: [UInt8], on id: SessionID) throws {
        guard let session = sessions[id], let hello = session.unknown else {
            drop(id, .violation("vouchers that were not asked for"))
            return
        }
        session.unknown = nil
        let message = proven(by: hello, on: session)
        switch zone.standing(message, proof: hello.accountSignature, vouchers: vouchers) {
        case .proven: try admit(hello, on: id)
        case .dismissed(let why): dismiss(id, why)
        case .unknown, .wrong: drop(id, .notMember)
        }
        let held = session.held
        session.held = []
        for bytes in held {
            guard sessions[id] != nil else { return }
            try process(bytes, on: id)
        }
    }

    /// Keeps messages of a peer until it is known whether it belongs here.
    func hold(_ bytes: [UInt8], on id: SessionID) {
        guard let session = sessions[id], session.unknown != nil else {
            drop(id, .violation("a message out of turn"))
            return
        }
        session.held.append(bytes)
        let heldBytes = session.held.reduce(0) { $0 + $1.count }
        if session.held.count > Limits.heldMessages || heldBytes > Limits.heldBytes {
            drop(id, .violation("too much before it is known"))
        }
    }

    /// Membership ends with a commit: before anything else is sent, those who lost it are told.
    func dismissEnded() {
        let standings = zone.zoneAccess.standings
        guard standings != seenStandings else { return }
        seenStandings = standings
        for id in sessionIDs {
            guard let session = sessions[id], let hello = session.hello else { continue }
            let standing = zone.standing(proven(by: hello, on: session), proof: hello.accountSignature)
            if case .dismissed(let why) = standing { dismiss(id, why) }
        }
    }
}

extension Message {
    /// Whether a message is only accepted from known members of the zone.
    var isOfMembers: Bool {
        switch self {
        case .hello, .bye, .busy, .who, .vouch, .dismiss: false
        default: true
        }
    }
}
