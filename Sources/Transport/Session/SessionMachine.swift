package import NodeCore

/// One session over one stream, without I/O: bytes come in through `receive`, messages through `enqueue`, and output
/// leaves through `drain`.
///
/// The responder first sends 32 random bytes. Then both sides run Noise_XXpsk0_25519_ChaChaPoly_SHA256 with the
/// protocol's name and those bytes as the prologue; each handshake message, and later each frame, is preceded by its
/// length as a u16. A frame's plaintext is a sequence of messages, each preceded by its length as a varint; none spans
/// two frames.
package final class SessionMachine {
    /// The protocol's name and version. Nodes with different ones cannot open a session.
    private static func protocolName(_ version: UInt16) -> [UInt8] { Array("kachat-node/\(version)".utf8) }

    /// Frames have no associated data.
    private static var nothing: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

    private enum State {
        /// Initiator, after start. Next: awaitingAnswer, failed.
        case awaitingChallenge(received: [UInt8], psk: Secret, staticKey: X25519.KeyPair)
        /// Initiator, after the first message. Next: established, failed.
        case awaitingAnswer(NoiseHandshake)
        /// Responder, after start; the peer has proved nothing yet. Next: awaitingLastMessage, failed.
        case awaitingFirstMessage(challenge: [UInt8], candidates: [SessionCandidate])
        /// Responder; the peer holds the candidate's PSK. Next: established, failed.
        case awaitingLastMessage(NoiseHandshake, candidate: Int)
        /// The keys are in `sending` and `receiving`, outside the enum, so that they change in place. Next: failed.
        case established
        /// Responder; the peer holds a PSK, speaks another version and is being told so. Next: failed.
        case refusing
        /// Final.
        case failed
    }

    /// Why the session ended; nil while it is alive.
    package private(set) var failure: SessionFailure?
    /// Curve multiplications during the handshake; a stranger causes none at a responder.
    private(set) var curveOperations = 0

    private var state: State
    /// The protocol version of this end.
    private let version: UInt16
    private let ephemeralSecret: Secret
    private let handshakeDeadline: MonotonicTime
    /// Handshake bytes to send before any frame.
    private var handshakeOutput: [UInt8] = []
    private var sending = CipherState()
    private var receiving = CipherState()
    private var assembler = FrameAssembler(limit: Limits.handshakeMessageBytes)
    /// Buffer in which frames are opened; allocated when the session is established.
    private var plaintext = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var queues = [MessageQueue](repeating: MessageQueue(), count: SendPriority.allCases.count)
    private var queuedMessages = 0
    private var receiveWatch = ProgressWatch()
    private var sendWatch = ProgressWatch()

    /// Creates the side that opened the connection.
    package init(
        initiatorWith psk: Secret, staticKey: X25519.KeyPair, version: UInt16 = Limits.protocolVersion,
        random: inout some RandomSource, now: MonotonicTime
    ) {
        self.version = version
        state = .awaitingChallenge(received: [], psk: psk, staticKey: staticKey)
        ephemeralSecret = Secret(random: &random, count: 32)
        handshakeDeadline = now + Limits.handshakeTimeout
    }

    /// Creates the side that accepted the connection. It takes the first of `candidates` whose PSK fits.
    package init(
        responderWith candidates: [SessionCandidate], version: UInt16 = Limits.protocolVersion,
        random: inout some RandomSource, now: MonotonicTime
    ) {
        self.version = version
        let challenge = random.bytes(Limits.challengeBytes)
        state = .awaitingFirstMessage(challenge: challenge, candidates: candidates)
        ephemeralSecret = Secret(random: &random, count: 32)
        handshakeDeadline = now + Limits.handshakeTimeout
        handshakeOutput = challenge
    }

    deinit {
        plaintext.deallocate()
    }

    package var isEstablished: Bool {
        if case .established = state { true } else { false }
    }

    /// Whether the initiator has shown its key and heard nothing since. A stream that ends now was refused.
    package var isAwaitingAnswer: Bool {
        if case .awaitingAnswer = state { true } else { false }
    }

    /// Whether a peer that opened the connection has shown one of the keys.
    package var hasShownKey: Bool {
        switch state {
        case .awaitingLastMessage, .refusing, .established: true
        case .awaitingChallenge, .awaitingAnswer, .awaitingFirstMessage, .failed: false
        }
    }

    /// Bytes of messages enqueued and not yet drained. The owner produces more when this is low.
    package private(set) var queuedBytes = 0

    /// Whether `drain` would produce anything.
    package var hasOutput: Bool { !handshakeOutput.isEmpty || (isEstablished && queuedMessages > 0) }

    /// When to call `tick` next; nil if only other events matter.
    package var deadline: MonotonicTime? {
        switch state {
        case .failed: nil
        case .established: [receiveWatch.deadline, sendWatch.deadline].compactMap(\.self).min()
        default: handshakeDeadline
        }
    }

    /// Handles the deadlines that have passed.
    package func tick(now: MonotonicTime) -> [SessionEvent] {
        switch state {
        case .failed:
            []
        case .established:
            receiveWatch.isTooSlow(now: now) || sendWatch.isTooSlow(now: now) ? [fail(.tooSlow)] : []
        default:
            now >= handshakeDeadline ? [fail(.handshakeTimeout)] : []
        }
    }

    /// While the peer owes data, it must send `Limits.progressBytes` in each `Limits.progressWindow`.
    package func setExpectingData(_ expecting: Bool, now: MonotonicTime) {
        receiveWatch.set(running: expecting, now: now)
    }

    /// Reports what happened to drained bytes: the socket took `count`, and `waiting` remain in the output buffer.
    /// While some wait, the peer must accept data at the rate at which it must send when it owes data.
    package func noteSent(_ count: Int, waiting: Int, now: MonotonicTime) {
        sendWatch.set(running: waiting > 0, now: now)
        sendWatch.add(count)
    }

    // MARK: Receiving

    /// Takes bytes of the stream, cut anywhere, and returns the resulting events in order.
    package func receive(_ bytes: UnsafeRawBufferPointer, now: MonotonicTime) -> [SessionEvent] {
        var events: [SessionEvent] = []
        if failure == nil, !isEstablished, now >= handshakeDeadline {
            return [fail(.handshakeTimeout)]
        }
        receiveWatch.add(bytes.count)
        do {
            var rest = bytes
            while !rest.isEmpty {
                switch state {
                case .failed, .refusing:
                    return events
                case .established:
                    try receiveFrames(&rest, into: &events)
                case .awaitingChallenge(let received, let psk, let staticKey):
                    try receiveChallenge(&rest, received: received, psk: psk, staticKey: staticKey)
                case .awaitingAnswer, .awaitingFirstMessage, .awaitingLastMessage:
                    guard let message = try assembler.next(&rest) else { break }
                    try receiveHandshake([UInt8](message), into: &events)
                }
            }
        } catch {
            events.append(fail(error))
        }
        return events
    }

    package func receive(_ bytes: [UInt8], now: MonotonicTime) -> [SessionEvent] {
        bytes.withUnsafeBytes { receive($0, now: now) }
    }

    private func receiveChallenge(
        _ rest: inout UnsafeRawBufferPointer, received: [UInt8], psk: Secret, staticKey: X25519.KeyPair
    ) throws(SessionFailure) {
        let part = rest.prefix(Limits.challengeBytes - received.count)
        let challenge = received + part
        rest = UnsafeRawBufferPointer(rebasing: rest[(part.endIndex)...])
        guard challenge.count == Limits.challengeBytes else {
            state = .awaitingChallenge(received: challenge, psk: psk, staticKey: staticKey)
            return
        }
        var handshake = NoiseHandshake(
            pattern: .xxPSK0, role: .initiator, prologue: Self.protocolName(version) + challenge,
            staticKey: staticKey, ephemeral: ephemeralSecret, psks: [psk])
        try write(&handshake)
        state = .awaitingAnswer(handshake)
    }

    private func receiveHandshake(_ message: [UInt8], into events: inout [SessionEvent]) throws(SessionFailure) {
        switch state {
        case .awaitingFirstMessage(let challenge, let candidates):
            guard let (matched, candidate) = match(message, challenge, candidates, version) else {
                return try refuseOtherVersion(message, challenge, candidates, into: &events)
            }
            var handshake = matched
            try write(&handshake)
            state = .awaitingLastMessage(handshake, candidate: candidate)
        case .awaitingAnswer(var handshake):
            try read(message, &handshake, maySayVersion: true)
            try write(&handshake)
            try establish(handshake, candidate: 0, into: &events)
        case .awaitingLastMessage(var handshake, let candidate):
            try read(message, &handshake)
            try establish(handshake, candidate: candidate, into: &events)
        case .awaitingChallenge, .established, .refusing, .failed:
            preconditionFailure("invariant: only waiting states read handshake messages")
        }
    }

    /// Tries the first message with each candidate. That costs some hashes and one tag each: the ephemeral key is made,
    /// and the first curve operation done, only when answering a peer that holds a PSK.
    private func match(
        _ message: [UInt8], _ challenge: [UInt8], _ candidates: [SessionCandidate], _ version: UInt16
    ) -> (NoiseHandshake, Int)? {
        for candidate in candidates {
            var handshake = NoiseHandshake(
                pattern: .xxPSK0, role: .responder, prologue: Self.protocolName(version) + challenge,
                staticKey: candidate.staticKey, ephemeral: ephemeralSecret, psks: [candidate.psk])
            if let payload = try? handshake.readMessage(message), payload.isEmpty {
                return (handshake, candidate.id)
            }
        }
        return nil
    }

    /// Tells a peer that holds a zone's PSK and speaks another version which version this node speaks, as the payload
    /// of the second message in the peer's version. To a stranger it looks like any refusal.
    private func refuseOtherVersion(
        _ message: [UInt8], _ challenge: [UInt8], _ candidates: [SessionCandidate], into events: inout [SessionEvent]
    ) throws(SessionFailure) {
        let current = candidates.filter(\.isCurrent)
        for other in Limits.recognisedVersions where other != version {
            guard let (matched, candidate) = match(message, challenge, current, other) else { continue }
            var handshake = matched
            try write(&handshake, payload: [UInt8(version >> 8), UInt8(version & 0xFF)])
            state = .refusing
            events.append(.otherVersion(candidate: candidate, version: other))
            return
        }
        throw .noMatchingKey
    }

    private func read(
        _ message: [UInt8], _ handshake: inout NoiseHandshake, maySayVersion: Bool = false
    ) throws(SessionFailure) {
        defer { curveOperations = handshake.curveOperations }
        let payload: [UInt8]
        do {
            payload = try handshake.readMessage(message)
        } catch {
            throw .handshakeRefused
        }
        guard !payload.isEmpty else { return }
        throw maySayVersion && payload.count == 2
            ? .otherVersion(UInt16(payload[0]) << 8 | UInt16(payload[1])) : .handshakeRefused
    }

    private func write(_ handshake: inout NoiseHandshake, payload: [UInt8] = []) throws(SessionFailure) {
        defer { curveOperations = handshake.curveOperations }
        do {
            let message = try handshake.writeMessage(payload: payload)
            handshakeOutput.append(UInt8(truncatingIfNeeded: message.count >> 8))
            handshakeOutput.append(UInt8(truncatingIfNeeded: message.count))
            handshakeOutput += message
        } catch {
            throw .handshakeRefused
        }
    }

    private func establish(
        _ handshake: NoiseHandshake, candidate: Int, into events: inout [SessionEvent]
    ) throws(SessionFailure) {
        guard let remoteStatic = handshake.remoteStatic else { throw .handshakeRefused }
        (sending, receiving) = handshake.split()
        assembler.raise(limit: Limits.frameBytes)
        plaintext = .allocate(byteCount: Limits.framePlaintextBytes, alignment: 64)
        state = .established
        events.append(
            .established(
                candidate: candidate, remoteStatic: remoteStatic, handshakeHash: handshake.handshakeHash))
    }

    private func receiveFrames(
        _ rest: inout UnsafeRawBufferPointer, into events: inout [SessionEvent]
    ) throws(SessionFailure) {
        while let frame = try assembler.next(&rest) {
            let count: Int
            do throws(NoiseError) {
                count = try receiving.open(frame, associatedData: Self.nothing, into: plaintext)
            } catch {
                throw error == .nonceExhausted ? .nonceExhausted : .corruptFrame
            }
            try FramePlaintext.split(UnsafeRawBufferPointer(rebasing: plaintext[..<count]), into: &events)
        }
    }

    private func fail(_ failure: SessionFailure) -> SessionEvent {
        self.failure = failure
        state = .failed
        sending = CipherState()
        receiving = CipherState()
        handshakeOutput = []
        queues = queues.map { _ in MessageQueue() }
        queuedMessages = 0
        queuedBytes = 0
        return .failed(failure)
    }

    // MARK: Sending

    /// Queues a message (1 to `Limits.messageBytes` bytes) behind others of its priority. Before the session is
    /// established it waits; after it has failed it is dropped.
    package func enqueue(_ message: [UInt8], priority: SendPriority) {
        precondition(!message.isEmpty && message.count <= Limits.messageBytes, "invariant: a message fits a frame")
        guard failure == nil else { return }
        queues[priority.rawValue].append(message)
        queuedMessages += 1
        queuedBytes += message.count
    }

    /// Moves queued messages, most urgent first, into sealed frames at the end of `output` until `bytes` were added
    /// (the last frame may exceed it) or nothing is left. Drain in small amounts, so that an urgent message overtakes
    /// all that is still queued. When the nonces are used up, `failure` is set and nothing more is added.
    package func drain(upTo bytes: Int, into output: inout OutputBuffer) {
        if !handshakeOutput.isEmpty {
            output.append(handshakeOutput)
            handshakeOutput = []
        }
        guard isEstablished else { return }
        let start = output.count
        while queuedMessages > 0, output.count - start < bytes {
            // A length takes up to three bytes.
            let most = min(Limits.frameBytes, queuedBytes + 3 * queuedMessages + Limits.tagBytes)
            do throws(NoiseError) {
                try output.append(maximum: 2 + most) { room throws(NoiseError) in try fillFrame(room) }
            } catch {
                _ = fail(.nonceExhausted)
                return
            }
        }
    }

    /// Writes one frame with as many messages as fit, and returns its size including the header.
    private func fillFrame(_ room: UnsafeMutableRawBufferPointer) throws(NoiseError) -> Int {
        let body = UnsafeMutableRawBufferPointer(rebasing: room[2...])
        var used = 0
        for priority in queues.indices {
            while let message = queues[priority].first {
                guard message.count + FramePlaintext.varintBytes(message.count) <= body.count - Limits.tagBytes - used
                else {
                    return try sealFrame(room, body, used)
                }
                used = FramePlaintext.write(message, to: body, at: used)
                queues[priority].removeFirst()
                queuedMessages -= 1
                queuedBytes -= message.count
            }
        }
        return try sealFrame(room, body, used)
    }

    private func sealFrame(
        _ room: UnsafeMutableRawBufferPointer, _ body: UnsafeMutableRawBufferPointer, _ used: Int
    ) throws(NoiseError) -> Int {
        try sending.seal(
            UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(body)[..<used]),
            associatedData: Self.nothing, into: body)
        let length = used + Limits.tagBytes
        room[0] = UInt8(truncatingIfNeeded: length >> 8)
        room[1] = UInt8(truncatingIfNeeded: length)
        return 2 + length
    }
}
