import NodeCore

/// One session of a pairing: one try. What the peer says moves it on in one way only; everything else ends it.
struct PairingTalk: Sendable {
    enum Stage: Equatable, Sendable {
        /// Next: met.
        case greeting
        /// Next: awaitsCommitment (gives), committed (takes), once both have chosen the other.
        case met
        /// Gives. Next: revealed.
        case awaitsCommitment
        /// Takes; its nonce is not shown yet. Next: comparing.
        case committed(nonce: Bytes32)
        /// Gives; its nonce is shown, and the other one bound. Next: comparing.
        case revealed(nonce: Bytes32, commitment: Bytes32)
        /// The digits are on the display. Next: agreed.
        case comparing(PairingDigits)
        /// Both users have consented. Next: given (gives), taking (takes).
        case agreed
        /// Gives: the secret has left. Next: over.
        case given
        /// Takes: the secret is here and not durable yet. Next: over.
        case taking
        /// Final.
        case over
    }

    let id: SessionID
    let address: SocketAddress
    /// The peer's key in this run of its pairing.
    let key: Bytes32
    let role: PairingRole
    let subject: PairingSubject
    let proof: PairingProof
    private(set) var stage = Stage.greeting
    /// What the peer calls itself.
    private(set) var name = ""
    private(set) var isChosen = false
    private(set) var isConfirmed = false
    private var isChosenByPeer = false
    private var isConfirmedByPeer = false
    /// What came, until it is durable.
    private(set) var secret: [UInt8]?
    /// When the peer has to have gone on.
    var stepBy: MonotonicTime?
    /// Since when its name is known.
    var metAt: MonotonicTime?

    init(
        id: SessionID, address: SocketAddress, key: Bytes32, ownKey: Bytes32, role: PairingRole,
        subject: PairingSubject, handshakeHash: [UInt8]
    ) {
        self.id = id
        self.address = address
        self.key = key
        self.role = role
        self.subject = subject
        proof = PairingProof(
            giver: role == .gives ? ownKey : key, taker: role == .gives ? key : ownKey, handshakeHash: handshakeHash)
    }

    var hasMet: Bool { stage != .greeting }

    var digits: PairingDigits? {
        if case .comparing(let digits) = stage { digits } else { nil }
    }

    /// The own nonce is out: what ends from here on was a try.
    var isTry: Bool {
        switch stage {
        case .greeting, .met, .awaitsCommitment, .committed: false
        case .revealed, .comparing, .agreed, .given, .taking, .over: true
        }
    }

    /// Both users want this device, so that a word of it that ends the pairing counts.
    var isMutual: Bool { stage != .greeting && stage != .met }

    /// Both users have consented; what is under way goes to its end.
    var isMoving: Bool { [.agreed, .given, .taking].contains(stage) }

    /// Waits for the peer, and for no user.
    var isStepping: Bool {
        switch stage {
        case .greeting, .awaitsCommitment, .committed, .revealed, .given: true
        case .agreed: role == .takes
        case .met, .comparing, .taking, .over: false
        }
    }

    /// What follows from a message of the peer.
    mutating func received(
        _ message: PairingMessage, random: inout any RandomSource
    ) throws(PairingFault) -> [PairingMessage] {
        switch (stage, message) {
        case (_, .refused(let reason)): throw .refused(reason)
        case (.greeting, .hello(let theirs, let what, let name)):
            guard theirs == role.other, what == subject else { throw .otherPurpose }
            self.name = name
            stage = .met
            return []
        case (.met, .chosen) where !isChosenByPeer:
            isChosenByPeer = true
            return begin(&random)
        case (.awaitsCommitment, .commitment(let commitment)):
            let nonce: Bytes32 = random.identifier()
            stage = .revealed(nonce: nonce, commitment: commitment)
            return [.nonce(nonce)]
        case (.committed(let nonce), .nonce(let theirs)):
            stage = .comparing(proof.digits(giversNonce: theirs, takersNonce: nonce))
            return [.nonce(nonce)]
        case (.revealed(let nonce, let commitment), .nonce(let theirs)):
            guard ConstantTime.equals(proof.commitment(theirs), commitment) else { throw .wrongCommitment }
            stage = .comparing(proof.digits(giversNonce: nonce, takersNonce: theirs))
            return []
        case (.comparing, .consent) where !isConfirmedByPeer:
            isConfirmedByPeer = true
            agree()
            return []
        case (.agreed, .secret(let bytes)) where role == .takes:
            secret = bytes
            stage = .taking
            return []
        case (.given, .taken):
            stage = .over
            return []
        default: throw .outOfOrder
        }
    }

    /// The peer is the device that is meant.
    mutating func choose(random: inout any RandomSource) -> [PairingMessage] {
        guard stage == .met, !isChosen else { return [] }
        isChosen = true
        return [.chosen] + begin(&random)
    }

    private mutating func begin(_ random: inout any RandomSource) -> [PairingMessage] {
        guard isChosen, isChosenByPeer else { return [] }
        guard role == .takes else {
            stage = .awaitsCommitment
            return []
        }
        let nonce: Bytes32 = random.identifier()
        stage = .committed(nonce: nonce)
        return [.commitment(proof.commitment(nonce))]
    }

    /// The user says that both displays show the same digits.
    mutating func confirm() -> [PairingMessage] {
        guard digits != nil, !isConfirmed else { return [] }
        isConfirmed = true
        agree()
        return [.consent]
    }

    private mutating func agree() {
        if isConfirmed, isConfirmedByPeer { stage = .agreed }
    }

    /// Whether the secret may leave now.
    var mayGive: Bool { role == .gives && stage == .agreed }

    mutating func give(_ secret: [UInt8]) -> [PairingMessage] {
        precondition(mayGive, "invariant: nothing is given before both have consented")
        stage = .given
        return [.secret(secret)]
    }

    /// What came is durable.
    mutating func take() -> [PairingMessage] {
        secret = nil
        stage = .over
        return [.taken]
    }
}

/// Why a session of a pairing came to nothing.
package enum PairingFault: Error, Equatable, Sendable {
    case malformed
    case outOfOrder
    /// Both give, both take, or what is not what the other wants.
    case otherPurpose
    /// What was revealed is not what was committed to: somebody stands in between.
    case wrongCommitment
    /// The digits that were given here are not those that are shown.
    case wrongDigits
    case refused(PairingRefusal)
    /// The connection ended.
    case lost
    /// The other device did not go on in time.
    case silent
    /// The same device has come anew.
    case replaced
}

/// Why a device ends a session of a pairing.
package enum PairingRefusal: UInt64, Sendable {
    /// Its user does not see the same digits, or does not want this device.
    case digitsDiffer = 1
    /// Its user ended the pairing, or the time is over.
    case stopped = 2
    /// Another device is meant, or there is one more now and its user is asked.
    case notChosen = 3
    /// What came could not be kept there.
    case notTaken = 4
}
