import NodeCore
import ProcessHarness
import Testing
import Transport

@testable import Gossip

/// A man in the middle, between taker and giver: two real sessions, each with his own ephemeral keys, and on both he
/// plays the other device as well as anybody can.
final class PairingProxy {
    private final class Side {
        let stream: StreamConnection
        let session: SessionMachine
        let role: PairingRole
        var output = OutputBuffer()
        var talk: PairingTalk?

        init(_ stream: StreamConnection, _ session: SessionMachine, _ role: PairingRole) {
            self.stream = stream
            self.session = session
            self.role = role
        }
    }

    /// The secret that was handed over; there must be none.
    private(set) var stolen: [UInt8]?
    private let loop: EventLoop
    private let target: SocketAddress
    private var listener: TCPListener?
    private var sides: [Side] = []
    private var random: any RandomSource = SystemRandom()

    /// - Parameter port: the giver's listening port.
    init(before port: UInt16) throws {
        target = SocketAddress(ipv4: 0x7F00_0001, port: port)
        loop = try EventLoop()
        listener = try TCPListener(on: SocketAddress(ipv4: 0x7F00_0001, port: 0), loop: loop) {
            [unowned self] stream in accept(stream)
        }
    }

    deinit {
        for side in sides { side.stream.close() }
        listener?.close()
    }

    var address: String { "\(listener?.address ?? target)" }

    /// Works for that duration.
    func work(for duration: Duration) throws {
        let deadline = Deadline(after: duration)
        while !deadline.hasPassed { try loop.turn(limit: .milliseconds(10)) }
    }

    private func accept(_ stream: StreamConnection) {
        let now = SystemClock().now()
        var system = SystemRandom()
        let keys = DoorKeys(discovery: PairingKeys.discovery, psk: PairingKeys.session)
        let doors = Doors(keys: [keys], challenge: system.bytes(Transport.Limits.challengeBytes))
        add(Side(stream, SessionMachine(responderAt: doors, random: &system, now: now), .gives))
        guard let dialled = try? StreamConnection(connectingTo: target, on: loop) else { return }
        add(Side(dialled, SessionMachine(initiatorWith: keys, random: &system, now: now), .takes))
    }

    private func add(_ side: Side) {
        sides.append(side)
        side.stream.handler = { [unowned self, unowned side] event, now in
            switch event {
            case .bytes(let bytes): for event in side.session.receive(bytes, now: now) { on(event, side) }
            case .endOfInput, .failed: side.stream.close()
            case .connected, .writable: break
            }
            flush(side)
        }
        flush(side)
    }

    private func on(_ event: SessionEvent, _ side: Side) {
        switch event {
        case .established(_, let hash):
            side.talk = PairingTalk(
                id: SessionID(1), address: target, role: side.role, subject: .account, handshakeHash: hash)
            let name = side.role == .takes ? "phone" : "laptop"
            say([.hello(role: side.role, subject: .account, id: random.identifier(), name: name)], side)
        case .message(let bytes): hear(bytes, side)
        case .failed: side.stream.close()
        }
    }

    private func hear(_ bytes: [UInt8], _ side: Side) {
        do {
            let message = try PairingMessage(decoding: bytes)
            switch message {
            case .genesis(let given), .secret(let given): stolen = given
            default: break
            }
            say(try side.talk?.received(message, random: &random) ?? [], side)
            if case .hello = message { say(side.talk?.choose(random: &random) ?? [], side) }
            say(side.talk?.confirm() ?? [], side)
        } catch {
            side.stream.close()
        }
    }

    private func say(_ messages: [PairingMessage], _ side: Side) {
        for message in messages { side.session.enqueue(message.encoded, priority: .control) }
    }

    private func flush(_ side: Side) {
        side.session.drain(upTo: 1 << 16, into: &side.output)
        _ = try? side.stream.write(&side.output)
    }
}
