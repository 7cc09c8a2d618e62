package import NodeCore

/// One side of handing a secret to another device in the same room, where the users compare six digits.
///
/// The giving device is found by its beacons and dialled by the taking one; each session is one attempt
/// (`PairingTalk`). Both are visible for at most two minutes and have three attempts. If more than one device is in
/// sight, the user chooses. Nothing is handed over before both users have consented to the same digits. Then an
/// invitation moves in one message. For an account, the founding record moves first, then the lane with which the other
/// device asks to be let in, then the secret that lets it in; the other device answers with its way in, so that it is
/// known before it is ever in reach. A pure machine: time comes with each event, randomness with `init`, and actions
/// are taken from it.
package struct Pairing: Sendable {
    /// An address to dial.
    struct Place: Sendable {
        let address: SocketAddress
        var nextAt: MonotonicTime
        /// A connection was requested and has neither been opened nor failed.
        var isDialling = false
        /// The device met there.
        var peer: PairingID?
    }

    package let role: PairingRole
    package let subject: PairingSubject
    /// This device's name.
    package let name: String
    package let id: PairingID
    package let expiresAt: MonotonicTime
    package internal(set) var triesLeft = Limits.pairingTries
    /// Why the last attempt failed; nil if there was none.
    package internal(set) var lastFault: PairingFault?
    /// Counts changes that a user can see, so that displays know when to update.
    package internal(set) var revision: UInt64 = 0
    package internal(set) var end: PairingEnd?
    /// Gives an account: how the other device came in, once it says that it has the account.
    private var path: [UInt8]?

    var random: any RandomSource
    /// In order of arrival.
    var talks: [PairingTalk] = []
    var chosen: SessionID?
    /// The machine made the choice, not the user.
    var isChosenByItself = false
    /// More than one device was in sight, so the user must choose from now on.
    var mustAsk = false
    private var heard = 0
    var places: [Place] = []
    var actions: [PlaceAction] = []

    /// - Parameter time: at most `Limits.pairingTime`.
    package init(
        role: PairingRole, subject: PairingSubject, name: String, time: Duration = Limits.pairingTime,
        random: any RandomSource, now: MonotonicTime
    ) {
        self.role = role
        self.subject = subject
        self.name = PairingMessage.isAcceptable(name: name) ? name : "device"
        var random = random
        id = random.identifier()
        self.random = random
        expiresAt = now + min(time, Limits.pairingTime)
    }

    // MARK: Observable state

    package var isOver: Bool { end != nil }

    /// Whether another incoming session is accepted.
    var isOpen: Bool { !isOver && role == .gives && heard < Limits.pairingSessionsInAll }

    package var state: PairingState {
        if let end { return .over(end) }
        guard let talk = talks.first(where: { $0.id == chosen }) else {
            return mustAsk && !candidates.isEmpty ? .choosing : .seeking
        }
        let peer = PairingCandidate(talk)
        if let digits = talk.digits { return .comparing(peer, digits, isConfirmed: talk.isConfirmed) }
        return talk.isMoving ? .moving(peer) : .waiting(peer)
    }

    /// The devices in sight with a matching purpose, in order of arrival.
    package var candidates: [PairingCandidate] { talks.filter(\.hasMet).map { PairingCandidate($0) } }

    /// The address of the chosen device.
    package var peerAddress: SocketAddress? { talks.first { $0.id == chosen }?.address }

    /// Both users have consented and it is this device's turn: call `contribute` or `fail`. Nil if nothing is due.
    package var due: PairingDue? { talks.first { $0.id == chosen }?.due }

    // MARK: Sessions

    /// A session is established.
    package mutating func onOpened(
        _ session: SessionID, handshakeHash: [UInt8], address: SocketAddress, isInitiator: Bool, now: MonotonicTime
    ) {
        if isInitiator, let index = places.firstIndex(where: { $0.address == address }) {
            places[index].isDialling = false
        }
        // Only the taking side dials.
        guard !isOver, isInitiator == (role == .takes), heard < Limits.pairingSessionsInAll else {
            return actions.append(.close(session, .shutdown))
        }
        // Each one cost a handshake, even if all places are taken.
        heard += 1
        guard talks.count < Limits.pairingSessions else { return actions.append(.close(session, .shutdown)) }
        var talk = PairingTalk(
            id: session, address: address, role: role, subject: subject, handshakeHash: handshakeHash)
        talk.stepBy = now + Limits.pairingStep
        talks.append(talk)
        send([.hello(role: role, subject: subject, id: id, name: name)], to: session)
    }

    package mutating func onMessage(_ bytes: [UInt8], session id: SessionID, now: MonotonicTime) {
        guard !isOver, let index = talks.firstIndex(where: { $0.id == id }) else { return }
        let (before, hadMet) = (state, talks[index].hasMet)
        do {
            let message = try PairingMessage(decoding: bytes)
            let answers = try talks[index].received(message, random: &random)
            if case .taken(let path) = message { self.path = path }
            moved(index, now: now)
            send(answers, to: id)
        } catch {
            return fail(id, error, now: now)
        }
        if state != before || !hadMet { revision += 1 }
        if !hadMet, talks[index].hasMet {
            talks[index].metAt = now
            met(id, now: now)
        }
        if talks.first(where: { $0.id == id })?.stage == .over { finish(.done) }
    }

    package mutating func onClosed(_ id: SessionID, now: MonotonicTime) {
        guard !isOver, talks.contains(where: { $0.id == id }) else { return }
        fail(id, .lost, now: now)
    }

    /// A device sent its name. If it is the second one, the user must choose, unless digits are already shown.
    private mutating func met(_ session: SessionID, now: MonotonicTime) {
        guard let talk = talks.first(where: { $0.id == session }) else { return }
        if role == .takes, let index = places.firstIndex(where: { $0.address == talk.address }) {
            places[index].peer = talk.peer
            // The address is this device itself.
            if talk.peer == id { places[index].nextAt = .distantFuture }
        }
        guard talk.peer != id else { return fail(session, .double, now: now) }
        let others = talks.filter { $0.hasMet && $0.id != session }
        guard !others.isEmpty else { return }
        if others.contains(where: { $0.peer == talk.peer }) {
            // A device with several addresses: the side that dialled keeps one session. If both are still there when
            // the other side would choose by itself, it asks its user.
            return role == .takes ? fail(session, .double, now: now) : ()
        }
        mustAsk = true
        guard isChosenByItself, let chosen, let first = talks.first(where: { $0.id == chosen }), !first.isTry else {
            return
        }
        refuse(chosen, .notChosen, now: now)
    }

    /// Ends a session. Depending on its stage, that counts as an attempt and may end the pairing.
    mutating func fail(_ id: SessionID, _ fault: PairingFault, now: MonotonicTime) {
        guard let index = talks.firstIndex(where: { $0.id == id }) else { return }
        let talk = talks.remove(at: index)
        actions.append(.close(id, .shutdown))
        delay(talk.address, now: now)
        revision += 1
        if talk.isTry {
            triesLeft -= 1
            lastFault = fault
        }
        guard chosen == id else { return }
        if talk.isMutual, fault == .refused(.notTaken) { return finish(.notTaken) }
        // A secret that was sent cannot be recalled, whatever the other device says.
        if talk.stage == .given { return finish(.notConfirmed) }
        if talk.isMutual, fault == .refused(.stopped) { return finish(.stoppedByPeer) }
        if triesLeft <= 0 { return finish(.noTriesLeft(fault)) }
        chosen = nil
        isChosenByItself = false
    }

    /// The same, and tells the peer.
    mutating func refuse(_ id: SessionID, _ reason: PairingRefusal, now: MonotonicTime) {
        send([.refused(reason)], to: id)
        fail(id, .refused(reason), now: now)
    }

    mutating func finish(_ reason: PairingEnd) {
        guard end == nil else { return }
        for talk in talks {
            // A peer that was told of the success needs no further message.
            if reason != .done || talk.id != chosen {
                send([.refused(reason == .failed ? .notTaken : .stopped)], to: talk.id)
            }
            actions.append(.close(talk.id, .shutdown))
        }
        talks = []
        places = []
        end = reason
        revision += 1
    }

    mutating func send(_ messages: [PairingMessage], to id: SessionID) {
        for message in messages { actions.append(.send(id, message.encoded, .control)) }
    }

    /// A talk advanced: the next step gets its own deadline.
    mutating func moved(_ index: Int, now: MonotonicTime) {
        talks[index].stepBy = talks[index].isStepping ? now + Limits.pairingStep : nil
    }

    /// Returns and forgets how the other device came in.
    package mutating func takePath() -> [UInt8]? {
        defer { path = nil }
        return path
    }

    package mutating func takeActions() -> [PlaceAction] {
        defer { actions = [] }
        return actions
    }
}

/// The state of a pairing, for its user.
package enum PairingState: Equatable, Sendable {
    /// No device is in sight, or one that is observed a moment longer. Next: choosing, waiting, over.
    case seeking
    /// The user must choose a device. Next: waiting, over.
    case choosing
    /// The other device has not chosen this one yet, or the digits are about to be shown. Next: any.
    case waiting(PairingCandidate)
    /// The user compares digits. `isConfirmed`: this user has confirmed, and the other one has not. Next: any.
    case comparing(PairingCandidate, PairingDigits, isConfirmed: Bool)
    /// Both users have consented. Next: over; if the connection is lost, any.
    case moving(PairingCandidate)
    /// Final.
    case over(PairingEnd)
}

/// Another pairing device.
package struct PairingCandidate: Equatable, Sendable {
    /// Four hexadecimal digits, the same on both displays.
    package let tag: String
    /// The name it gives itself.
    package let name: String
}

extension PairingCandidate {
    init(_ talk: PairingTalk) { self.init(tag: talk.proof.tag, name: talk.name) }
}

/// How a pairing ended.
package enum PairingEnd: Equatable, Sendable {
    /// The taking device has stored the secret.
    case done
    /// This user has stopped it.
    case stopped
    /// The other user has stopped it.
    case stoppedByPeer
    /// All attempts failed; why the last one did.
    case noTriesLeft(PairingFault)
    case timedOut
    /// The secret was sent, and the other device did not confirm that it has it.
    case notConfirmed
    /// The secret could not be obtained here, or not be stored. The shell knows why.
    case failed
    /// The other device could not provide or store the secret.
    case notTaken
}
