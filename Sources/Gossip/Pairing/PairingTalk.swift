import NodeCore

/// One session of a pairing: one attempt. Messages of the peer advance it in exactly one order; any other message ends
/// it.
struct PairingTalk: Sendable {
    enum Stage: Equatable, Sendable {
        /// Next: met.
        case greeting
        /// Next: awaitsCommitment (gives), committed (takes), once both have chosen each other.
        case met
        /// Gives. Next: revealed.
        case awaitsCommitment
        /// Takes; its nonce is not revealed yet. Next: comparing.
        case committed(nonce: Bytes32)
        /// Gives; its nonce is revealed, and the other side has committed. Next: comparing.
        case revealed(nonce: Bytes32, commitment: Bytes32)
        /// The digits are shown. Next: agreed.
        case comparing(PairingDigits)
        /// Both users have consented. Next: shown (gives an account), given (gives an invitation), answering (takes an
        /// account), taking (takes an invitation).
        case agreed
        /// Gives: the account's genesis was sent. Next: asked.
        case shown
        /// Takes: the account's genesis was received. Next: asking.
        case answering(genesis: [UInt8])
        /// Takes: this device's lane was sent. Next: taking.
        case asking
        /// Gives: the other device's lane was received. Next: given.
        case asked(PairingLane)
        /// Gives: the secret was sent. Next: over.
        case given
        /// Takes: the secret was received and is not durable yet. Next: over.
        case taking(secret: [UInt8])
        /// Final.
        case over
    }

    let id: SessionID
    let address: SocketAddress
    let role: PairingRole
    let subject: PairingSubject
    let proof: PairingProof
    private(set) var stage = Stage.greeting
    /// The peer's id and name, as it says.
    private(set) var peer: PairingID?
    private(set) var name = ""
    private(set) var isChosen = false
    private(set) var isConfirmed = false
    private var isChosenByPeer = false
    private var isConfirmedByPeer = false
    /// When the peer must have advanced.
    var stepBy: MonotonicTime?
    /// When its name became known.
    var metAt: MonotonicTime?

    init(id: SessionID, address: SocketAddress, role: PairingRole, subject: PairingSubject, handshakeHash: [UInt8]) {
        self.id = id
        self.address = address
        self.role = role
        self.subject = subject
        proof = PairingProof(handshakeHash: handshakeHash)
    }

    var hasMet: Bool { stage != .greeting }

    var digits: PairingDigits? {
        if case .comparing(let digits) = stage { digits } else { nil }
    }

    /// Our nonce was revealed: ending the session now counts as an attempt.
    var isTry: Bool {
        switch stage {
        case .greeting, .met, .awaitsCommitment, .committed: false
        case .revealed, .comparing, .agreed, .shown, .answering, .asking, .asked, .given, .taking, .over: true
        }
    }

    /// Both users want this device, so its request to end the pairing counts.
    var isMutual: Bool { stage != .greeting && stage != .met }

    /// Both users have consented; the transfer is completed.
    var isMoving: Bool {
        switch stage {
        case .greeting, .met, .awaitsCommitment, .committed, .revealed, .comparing, .over: false
        case .agreed, .shown, .answering, .asking, .asked, .given, .taking: true
        }
    }

    /// Waits for the peer, not for a user.
    var isStepping: Bool {
        switch stage {
        case .greeting, .awaitsCommitment, .committed, .revealed, .shown, .asking, .given: true
        case .agreed: role == .takes
        case .met, .comparing, .answering, .asked, .taking, .over: false
        }
    }

    /// Handles a message of the peer and returns the replies.
    mutating func received(
        _ message: PairingMessage, random: inout any RandomSource
    ) throws(PairingFault) -> [PairingMessage] {
        switch (stage, message) {
        case (_, .refused(let reason)): throw .refused(reason)
        case (.greeting, .hello(let theirs, let what, let peer, let name)):
            guard theirs == role.other, what == subject else { throw .otherPurpose }
            self.peer = peer
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
        case (.agreed, .genesis(let genesis)) where role == .takes && subject == .account:
            stage = .answering(genesis: genesis)
            return []
        case (.shown, .lane(let lane)):
            stage = .asked(lane)
            return []
        case (.agreed, .secret(let secret)) where role == .takes && subject == .group,
            (.asking, .secret(let secret)):
            stage = .taking(secret: secret)
            return []
        case (.given, .taken):
            stage = .over
            return []
        default: throw .outOfOrder
        }
    }

    /// The peer was chosen.
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

    /// The user confirms that both displays show the same digits.
    mutating func confirm() -> [PairingMessage] {
        guard digits != nil, !isConfirmed else { return [] }
        isConfirmed = true
        agree()
        return [.consent]
    }

    private mutating func agree() {
        if isConfirmed, isConfirmedByPeer { stage = .agreed }
    }

    /// The data that this device must contribute now; nil before both users have consented.
    var due: PairingDue? {
        switch stage {
        case .agreed where role == .gives: subject == .account ? .genesis : .secret(for: nil)
        case .answering(let genesis): .lane(genesis: genesis)
        case .asked(let lane): .secret(for: lane)
        case .taking(let secret): .keeping(secret)
        default: nil
        }
    }

    /// - Precondition: `contribution` is what is due.
    mutating func contribute(_ contribution: PairingContribution) -> [PairingMessage] {
        switch (due, contribution) {
        case (.genesis, .genesis(let genesis)):
            stage = .shown
            return [.genesis(genesis)]
        case (.lane, .lane(let lane)):
            stage = .asking
            return [.lane(lane)]
        case (.secret, .secret(let secret)):
            stage = .given
            return [.secret(secret)]
        case (.keeping, .kept(let path)):
            stage = .over
            return [.taken(path: path)]
        default: preconditionFailure("invariant: only what is due is contributed")
        }
    }
}

/// The data that the shell must contribute to a pairing.
package enum PairingDue: Equatable, Sendable {
    /// Gives: the record that founds the account.
    case genesis
    /// Takes: a lane of this device in the account with this founding record.
    case lane(genesis: [UInt8])
    /// The giving side: the secret, for the lane to let in; nil for an invitation.
    case secret(for: PairingLane?)
    /// Takes: the secret is to become durable.
    case keeping([UInt8])
}

/// The shell's answer to `PairingDue`.
package enum PairingContribution: Sendable {
    case genesis([UInt8])
    case lane(PairingLane)
    case secret([UInt8])
    /// The received secret will be durable at the end of this turn. Of an account: how this device came in.
    case kept(path: [UInt8])
}

/// Why a session of a pairing failed.
package enum PairingFault: Error, Equatable, Sendable {
    case malformed
    case outOfOrder
    /// Both give, both take, or the subjects differ.
    case otherPurpose
    /// The revealed nonce does not match the commitment: there is an attacker in the middle.
    case wrongCommitment
    /// The digits entered here are not those shown.
    case wrongDigits
    case refused(PairingRefusal)
    /// The connection ended.
    case lost
    /// The other device did not continue in time.
    case silent
    /// There is another session with the same device, or it is this one.
    case double
}

/// Why a device ends a session of a pairing.
package enum PairingRefusal: UInt64, Sendable {
    /// Its user sees different digits, or does not want this device.
    case digitsDiffer = 1
    /// Its user stopped the pairing, or the time is over.
    case stopped = 2
    /// Another device was chosen, or another one appeared and its user must choose.
    case notChosen = 3
    /// It could not be given, or not be stored there.
    case notTaken = 4
}
