import Chat
import Ledger
import NodeCore
import ProcessHarness
import Transport

@testable import Gossip

/// A peer that nodes dial, with an account's session key and no lane's: it returns each node's own HELLO, with a
/// change.
final class ReflectingPeer {
    /// The node's messages on all of its sessions.
    private(set) var received: [Message] = []
    private let loop: EventLoop
    private let keys: DoorKeys
    private let change: (inout Hello) -> Void
    private var listener: TCPListener?
    private var streams: [StreamConnection] = []

    init(phrase: String, change: @escaping (inout Hello) -> Void) throws {
        let root = AccountSigner(seed: try Mnemonic(phrase: phrase).seed()).keys.firstRoot
        keys = DoorKeys(discovery: root.discovery, psk: root.session)
        self.change = change
        loop = try EventLoop()
        listener = try TCPListener(on: SocketAddress(ipv4: 0x7F00_0001, port: 0), loop: loop) {
            [unowned self] stream in accept(stream)
        }
    }

    deinit {
        for stream in streams { stream.close() }
        listener?.close()
    }

    var address: String { listener.map { "\($0.address)" } ?? "" }

    /// Reflects until the node has sent the awaited message.
    func work(until isDone: (Message) -> Bool) throws {
        let deadline = Deadline(after: Deadline.patience)
        while !received.contains(where: isDone) {
            if deadline.hasPassed { throw HarnessError.timedOut(waitingFor: "a message of the node") }
            try loop.turn(limit: .milliseconds(10))
        }
    }

    private func accept(_ stream: StreamConnection) {
        var random = SystemRandom()
        let doors = Doors(keys: [keys], challenge: random.bytes(Transport.Limits.challengeBytes))
        let session = SessionMachine(responderAt: doors, random: &random, now: SystemClock().now())
        var output = OutputBuffer()
        streams.append(stream)
        stream.handler = { [unowned self, unowned stream] event, now in
            if case .bytes(let bytes) = event {
                for case .message(let message) in session.receive(bytes, now: now) { reflect(message, session) }
            }
            session.drain(upTo: 1 << 16, into: &output)
            _ = try? stream.write(&output)
        }
        session.drain(upTo: 1 << 16, into: &output)
        _ = try? stream.write(&output)
    }

    private func reflect(_ bytes: [UInt8], _ session: SessionMachine) {
        guard let message = try? Message(decoding: bytes) else { return }
        received.append(message)
        guard case .hello(var hello) = message else { return }
        change(&hello)
        session.enqueue(Message.hello(hello).encoded, priority: .control)
    }
}
