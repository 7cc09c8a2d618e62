package import NodeCore

/// One device's side of handing something over to another one in the same room, whose users compare six digits.
///
/// Who gives is found by its beacons and dialled by who takes; each session is one try (`PairingTalk`). For at most two
/// minutes both can be seen, and they have three tries. Where more than one device is in sight, the user says which is
/// meant. Nothing leaves before both users have consented to the same digits. A pure machine: time comes in with each
/// event, randomness with `init`, and what is to be done is taken as actions.
package struct Pairing: Sendable {
    /// An address to dial.
    struct Place: Sendable {
        let address: SocketAddress
        var nextAt: MonotonicTime
        /// A connection was asked for, and neither stands nor failed.
        var isDialling = false
        /// Who was met there.
        var key: Bytes32?
    }

    package let role: PairingRole
    package let subject: PairingSubject
    /// What this device calls itself.
    package let name: String
    /// Of this run only.
    package let staticKey: X25519.KeyPair
    package let expiresAt: MonotonicTime
    package internal(set) var triesLeft = Limits.pairingTries
    /// Why the last try came to nothing; nil while there was none.
    package internal(set) var lastFault: PairingFault?
    /// Counts what a user can see: whoever shows it looks again.
    package internal(set) var revision: UInt64 = 0
    package internal(set) var end: PairingEnd?

    var random: any RandomSource
    /// In the order in which they came.
    var talks: [PairingTalk] = []
    var chosen: SessionID?
    /// Nobody but the machine has chosen.
    var isChosenByItself = false
    /// More than one device was in sight: from then on the user is asked.
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
        staticKey = X25519.KeyPair(secret: Secret(random: &random, count: X25519.secretBytes))
        self.random = random
        expiresAt = now + min(time, Limits.pairingTime)
    }

    // MARK: What is to be seen

    package var isOver: Bool { end != nil }

    /// Whether one more who comes is heard at all.
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

    /// The devices in sight that want what this one wants, in the order in which they came.
    package var candidates: [PairingCandidate] { talks.filter(\.hasMet).map { PairingCandidate($0) } }

    /// Where the device is that was chosen.
    package var peerAddress: SocketAddress? { talks.first { $0.id == chosen }?.address }

    /// Both have consented, and it is this device's turn: `give` or `fail` is due.
    package var mayGive: Bool { talks.first { $0.id == chosen }?.mayGive ?? false }

    /// What came from the device that both users have consented to: `take` or `fail` is due.
    package var secret: [UInt8]? { talks.first { $0.id == chosen }?.secret }

    // MARK: Sessions

    /// A session stands. `key` is the peer's static key, which the handshake has proved to be its own.
    package mutating func onOpened(
        _ id: SessionID, key: Bytes32, handshakeHash: [UInt8], address: SocketAddress, isInitiator: Bool,
        now: MonotonicTime
    ) {
        noteDialled(address, isInitiator: isInitiator, key: key, now: now)
        // Only who takes dials; a session with oneself, or a second one with who is met already, is of no use.
        let isDouble = isInitiator && talks.contains { $0.key == key }
        guard !isOver, isInitiator == (role == .takes), key != staticKey.publicKey, !isDouble,
            heard < Limits.pairingSessionsInAll
        else { return actions.append(.close(id, .shutdown)) }
        // A handshake was done for each, also for those that find all places taken.
        heard += 1
        if let old = talks.first(where: { $0.key == key }) { fail(old.id, .replaced, now: now) }
        guard !isOver, talks.count < Limits.pairingSessions else { return actions.append(.close(id, .shutdown)) }
        var talk = PairingTalk(
            id: id, address: address, key: key, ownKey: staticKey.publicKey, role: role, subject: subject,
            handshakeHash: handshakeHash)
        talk.stepBy = now + Limits.pairingStep
        talks.append(talk)
        send([.hello(role: role, subject: subject, name: name)], to: id)
    }

    package mutating func onMessage(_ bytes: [UInt8], session id: SessionID, now: MonotonicTime) {
        guard !isOver, let index = talks.firstIndex(where: { $0.id == id }) else { return }
        let hadMet = talks[index].hasMet
        do {
            let message = try PairingMessage(decoding: bytes)
            let answers = try talks[index].received(message, random: &random)
            moved(index, now: now)
            send(answers, to: id)
        } catch {
            return fail(id, error, now: now)
        }
        revision += 1
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

    /// A device showed its name. A second one makes the user choose, unless digits are on the display.
    private mutating func met(_ id: SessionID, now: MonotonicTime) {
        let met = talks.filter(\.hasMet)
        guard met.count > 1 else { return }
        mustAsk = true
        guard isChosenByItself, let chosen, let talk = talks.first(where: { $0.id == chosen }), !talk.isTry else {
            return
        }
        refuse(chosen, .notChosen, now: now)
    }

    /// Ends a session; whether that was a try, and the pairing with it, follows from how far it was.
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
        // What has left cannot be called back, whatever the other device says of it.
        if talk.stage == .given { return finish(.notConfirmed) }
        if talk.isMutual, fault == .refused(.stopped) { return finish(.stoppedByPeer) }
        if triesLeft <= 0 { return finish(.noTriesLeft(fault)) }
        chosen = nil
        isChosenByItself = false
    }

    /// The same, with a word to the peer.
    mutating func refuse(_ id: SessionID, _ reason: PairingRefusal, now: MonotonicTime) {
        send([.refused(reason)], to: id)
        fail(id, .refused(reason), now: now)
    }

    mutating func finish(_ reason: PairingEnd) {
        guard end == nil else { return }
        for talk in talks {
            // Who has heard that all is well needs no further word.
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

    /// A talk has moved on: the next step has its own time.
    mutating func moved(_ index: Int, now: MonotonicTime) {
        talks[index].stepBy = talks[index].isStepping ? now + Limits.pairingStep : nil
    }

    package mutating func takeActions() -> [PlaceAction] {
        defer { actions = [] }
        return actions
    }
}

/// Where a pairing stands, as its user has to know it.
package enum PairingState: Equatable, Sendable {
    /// Nobody is there, or one device that is looked at a moment longer. Next: choosing, waiting, over.
    case seeking
    /// The user is asked which device is meant. Next: waiting, over.
    case choosing
    /// The other device has not chosen this one yet, or both are about to have digits. Next: any.
    case waiting(PairingCandidate)
    /// The user compares. `isConfirmed`: has done so, and the other one has not. Next: any.
    case comparing(PairingCandidate, PairingDigits, isConfirmed: Bool)
    /// Both have consented. Next: over; with a lost connection any.
    case moving(PairingCandidate)
    /// Final.
    case over(PairingEnd)
}

/// A device that pairs too.
package struct PairingCandidate: Equatable, Sendable {
    /// Four hexadecimal digits, the same on both displays.
    package let tag: String
    /// What it calls itself.
    package let name: String
}

extension PairingCandidate {
    init(_ talk: PairingTalk) { self.init(tag: talk.proof.tag, name: talk.name) }
}

/// How a pairing ended.
package enum PairingEnd: Equatable, Sendable {
    /// The secret is durable with who takes it.
    case done
    /// The user here has ended it.
    case stopped
    /// The other user has.
    case stoppedByPeer
    /// No try came to anything; why the last one did not.
    case noTriesLeft(PairingFault)
    case timedOut
    /// The secret has left, and the other device did not say that it has it.
    case notConfirmed
    /// What came, or was to be given, could not be kept or had. The shell knows why.
    case failed
    /// The other device could not give, or keep, it.
    case notTaken
}
