package import NodeCore

/// One session over one stream, without I/O: bytes come in through `receive`, messages through `enqueue`, and output
/// leaves through `drain`.
///
/// The responder first sends a challenge of 32 bytes. The initiator answers with a hint of 8 bytes, which tells a
/// holder of the same keys which of them is meant, and with the first message of Noise_NNpsk0_25519_ChaChaPoly_SHA256;
/// the responder answers with the second one. The prologue is the protocol's name, the challenge and the hint. All of
/// these have fixed sizes; each frame after them is preceded by its length as a u16. A frame's plaintext is a sequence
/// of messages, each preceded by its length as a varint; none spans two frames.
package final class SessionMachine {
    private static let protocolName = Array("kachat-node".utf8)

    /// Frames have no associated data.
    private static var nothing: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

    private enum State {
        /// Initiator, after start. Next: awaitingAnswer, failed.
        case awaitingChallenge(DoorKeys)
        /// Initiator, after the first message. Next: established, failed.
        case awaitingAnswer(NoiseHandshake)
        /// Responder, after start; the peer has proved nothing yet. Next: established, failed.
        case awaitingFirstMessage(Doors)
        /// The keys are in `ciphers`, outside the enum, so that they change in place. Next: failed.
        case established
        /// Final.
        case failed
    }

    /// Why the session ended; nil while it is alive.
    package private(set) var failure: SessionFailure?
    /// Curve multiplications during the handshake; a stranger causes none at a responder.
    private(set) var curveOperations = 0

    private var state: State
    private let ephemeralSecret: Secret
    private let handshakeDeadline: MonotonicTime
    /// The part of a handshake message that has arrived.
    private var handshakeInput: [UInt8] = []
    /// Handshake bytes to send before any frame.
    private var handshakeOutput: [UInt8] = []
    /// Nil unless the session is established.
    private var ciphers: (sending: CipherState, receiving: CipherState)?
    private var assembler = FrameAssembler(limit: 0)
    /// Buffer in which frames are opened; allocated when the session is established.
    private var plaintext = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var queues = [MessageQueue](repeating: MessageQueue(), count: SendPriority.allCases.count)
    private var queuedMessages = 0
    private var receiveWatch = ProgressWatch()
    private var sendWatch = ProgressWatch()

    /// Creates the side that opened the connection.
    package init(initiatorWith keys: DoorKeys, random: inout some RandomSource, now: MonotonicTime) {
        state = .awaitingChallenge(keys)
        ephemeralSecret = Secret(random: &random, count: 32)
        handshakeDeadline = now + Limits.answerTimeout
    }

    /// Creates the side that accepted the connection.
    package init(responderAt doors: Doors, random: inout some RandomSource, now: MonotonicTime) {
        state = .awaitingFirstMessage(doors)
        ephemeralSecret = Secret(random: &random, count: 32)
        handshakeDeadline = now + Limits.firstMessageTimeout
        handshakeOutput = doors.challenge
    }

    deinit {
        plaintext.deallocate()
    }

    package var isEstablished: Bool {
        if case .established = state { true } else { false }
    }

    /// Whether the initiator has sent its first message and heard nothing since. A stream that ends now was refused.
    package var isAwaitingAnswer: Bool {
        if case .awaitingAnswer = state { true } else { false }
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
                case .failed: return events
                case .established: try receiveFrames(&rest, into: &events)
                case .awaitingChallenge(let keys):
                    guard let challenge = take(Limits.challengeBytes, from: &rest) else { break }
                    try answer(challenge, with: keys)
                case .awaitingFirstMessage(let doors):
                    guard let opening = take(Limits.openingBytes, from: &rest) else { break }
                    try open(opening, at: doors, into: &events)
                case .awaitingAnswer(let handshake):
                    guard let message = take(Limits.handshakeMessageBytes, from: &rest) else { break }
                    var handshake = handshake
                    try read(message, &handshake)
                    establish(handshake, door: 0, into: &events)
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

    /// The next `count` bytes of the stream; nil if they have not all arrived.
    private func take(_ count: Int, from rest: inout UnsafeRawBufferPointer) -> [UInt8]? {
        let part = rest.prefix(count - handshakeInput.count)
        handshakeInput += part
        rest = UnsafeRawBufferPointer(rebasing: rest[part.endIndex...])
        guard handshakeInput.count == count else { return nil }
        defer { handshakeInput = [] }
        return handshakeInput
    }

    private func answer(_ challenge: [UInt8], with keys: DoorKeys) throws(SessionFailure) {
        let hint = [UInt8](bigEndianBytesOf: keys.hint(challenge), count: Limits.hintBytes)
        var handshake = NoiseHandshake(
            role: .initiator, prologue: Self.protocolName + challenge + hint, psk: keys.psk, ephemeral: ephemeralSecret)
        handshakeOutput += hint
        try write(&handshake)
        state = .awaitingAnswer(handshake)
    }

    /// Judges the hint and the first message. A stranger's hint costs one look-up: no hash, and no curve operation.
    private func open(
        _ opening: [UInt8], at doors: Doors, into events: inout [SessionEvent]
    ) throws(SessionFailure) {
        let (hint, message) = (opening[..<Limits.hintBytes], Array(opening[Limits.hintBytes...]))
        guard let door = doors.index(hint: hint.reduce(0) { $0 << 8 | UInt64($1) }) else { throw .noMatchingKey }
        var handshake = NoiseHandshake(
            role: .responder, prologue: Self.protocolName + doors.challenge + hint, psk: doors.psk(door),
            ephemeral: ephemeralSecret)
        try read(message, &handshake)
        guard let ephemeral = Bytes32(bytes: message.prefix(32)), doors.take(ephemeral) else {
            throw .handshakeRefused
        }
        try write(&handshake)
        establish(handshake, door: door, into: &events)
    }

    private func read(_ message: [UInt8], _ handshake: inout NoiseHandshake) throws(SessionFailure) {
        defer { curveOperations = handshake.curveOperations }
        do {
            _ = try handshake.readMessage(message)
        } catch {
            throw .handshakeRefused
        }
    }

    private func write(_ handshake: inout NoiseHandshake) throws(SessionFailure) {
        defer { curveOperations = handshake.curveOperations }
        do {
            handshakeOutput += try handshake.writeMessage()
        } catch {
            throw .handshakeRefused
        }
    }

    private func establish(_ handshake: NoiseHandshake, door: Int, into events: inout [SessionEvent]) {
        ciphers = handshake.split()
        assembler = FrameAssembler(limit: Limits.frameBytes)
        plaintext = .allocate(byteCount: Limits.framePlaintextBytes, alignment: 64)
        state = .established
        events.append(.established(door: door, handshakeHash: handshake.handshakeHash))
    }

    private func receiveFrames(
        _ rest: inout UnsafeRawBufferPointer, into events: inout [SessionEvent]
    ) throws(SessionFailure) {
        while let frame = try assembler.next(&rest) {
            let count: Int
            do throws(NoiseError) {
                // invariant: an established session has its keys.
                count = try ciphers!.receiving.open(frame, associatedData: Self.nothing, into: plaintext)
            } catch {
                throw error == .nonceExhausted ? .nonceExhausted : .corruptFrame
            }
            try FramePlaintext.split(UnsafeRawBufferPointer(rebasing: plaintext[..<count]), into: &events)
        }
    }

    private func fail(_ failure: SessionFailure) -> SessionEvent {
        self.failure = failure
        state = .failed
        handshakeInput = []
        ciphers = nil
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
        // invariant: an established session has its keys.
        try ciphers!.sending.seal(
            UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(body)[..<used]),
            associatedData: Self.nothing, into: body)
        let length = used + Limits.tagBytes
        room[0] = UInt8(truncatingIfNeeded: length >> 8)
        room[1] = UInt8(truncatingIfNeeded: length)
        return 2 + length
    }
}

/// Events that a session reports to its owner.
package enum SessionEvent: Equatable, Sendable {
    /// The keys are agreed. `door` is the index of the keys at the responder (0 for the initiator); `handshakeHash` (32
    /// bytes) is the same at both ends and unique to this session.
    case established(door: Int, handshakeHash: [UInt8])
    /// One message, at least one byte.
    case message([UInt8])
    /// The session is over: close the connection. No further event follows.
    case failed(SessionFailure)
}

/// Why a session ended by itself. The peer is never told: it only sees the connection close.
package enum SessionFailure: Error, Equatable, Sendable {
    /// The peer's hint fits none of our keys: it is a stranger, or means another zone.
    case noMatchingKey
    /// A handshake message does not authenticate, contains a weak key, or is a copy of one that was taken.
    case handshakeRefused
    /// A length is outside the allowed range.
    case frameLength
    /// The peer's handshake message did not arrive in time.
    case handshakeTimeout
    /// A frame does not authenticate.
    case corruptFrame
    /// The content of a frame is not a sequence of messages.
    case malformedFrame
    /// The peer sent or took less than `Limits.progressBytes` in a `Limits.progressWindow`.
    case tooSlow
    /// All nonces of a direction are used up.
    case nonceExhausted
}
