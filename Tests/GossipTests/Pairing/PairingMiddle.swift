import NodeCore

@testable import Gossip

/// A man in the middle, with a session of his own on either side.
final class PairingMiddle {
    enum Way: CaseIterable {
        /// Hands everything on unchanged.
        case relays
        /// Plays the other device on either side, with nonces of his own.
        case plays
        /// Plays, and when he knows one side's digits he searches for a nonce that gives the other the same.
        case grinds
        /// Hands on, but changes one byte, swaps two messages, repeats one, omits one, or sends one too early.
        case tampers, swaps, repeats, drops, hurries
    }

    private final class Run {
        let taker: SessionID
        let giver: SessionID
        /// He takes from the giver and gives to the taker.
        var withGiver: PairingTalk
        var withTaker: PairingTalk
        var held: (bytes: [UInt8], to: SessionID)?
        var heard = 0

        init(taker: SessionID, giver: SessionID, withGiver: PairingTalk, withTaker: PairingTalk) {
            self.taker = taker
            self.giver = giver
            self.withGiver = withGiver
            self.withTaker = withTaker
        }
    }

    let way: Way
    private var runs: [Run] = []
    private var send: ([UInt8]?, SessionID) -> Void = { _, _ in }
    /// The number of the message he works on.
    private let place: Int
    /// The messages of earlier runs.
    private var earlier: [[UInt8]] = []

    init(_ way: Way, random: inout SeededRandom) {
        self.way = way
        place = Int(random.next() % 9)
    }

    func begin(
        taker: SessionID, giver: SessionID, send: @escaping ([UInt8]?, SessionID) -> Void, hashes: [[UInt8]]
    ) {
        self.send = send
        let address = SocketAddress(ipv4: 1, port: 1)
        runs.append(
            Run(
                taker: taker, giver: giver,
                withGiver: PairingTalk(
                    id: giver, address: address, role: .takes, subject: .account, handshakeHash: hashes[1]),
                withTaker: PairingTalk(
                    id: taker, address: address, role: .gives, subject: .account, handshakeHash: hashes[0])))
        guard plays else { return }
        // Ids prove nothing: he may have any, and another one for each try.
        let (phone, laptop) = (Bytes16(1, giver.number), Bytes16(2, taker.number))
        say([.hello(role: .takes, subject: .account, id: PairingID(phone), name: "phone")], to: giver)
        say([.hello(role: .gives, subject: .account, id: PairingID(laptop), name: "laptop")], to: taker)
    }

    private var plays: Bool { way == .plays || way == .grinds }

    private func say(_ messages: [PairingMessage], to id: SessionID) {
        for message in messages { send(message.encoded, id) }
    }

    func closed(_ id: SessionID) {
        for run in runs where run.taker == id || run.giver == id {
            send(nil, run.taker)
            send(nil, run.giver)
        }
        runs.removeAll { $0.taker == id || $0.giver == id }
    }

    func hear(_ bytes: [UInt8], _ id: SessionID, random: inout SeededRandom) {
        guard let run = runs.first(where: { $0.taker == id || $0.giver == id }) else { return }
        run.heard += 1
        earlier.append(bytes)
        let other = id == run.taker ? run.giver : run.taker
        if plays { return play(bytes, id, run, random: &random) }
        guard run.heard - 1 == place else {
            send(bytes, other)
            if let held = run.held {
                run.held = nil
                send(held.bytes, held.to)
            }
            return
        }
        switch way {
        case .relays, .plays, .grinds: send(bytes, other)
        case .tampers:
            var changed = bytes
            changed[Int(random.next() % UInt64(bytes.count))] ^= UInt8(1 << (random.next() % 8))
            send(changed, other)
        case .swaps: run.held = (bytes, other)
        case .repeats:
            send(bytes, other)
            send(earlier[Int(random.next() % UInt64(earlier.count))], other)
        case .drops: break
        case .hurries:
            send(bytes, other)
            let early: [PairingMessage] = [
                .consent, .genesis([1]), .lane(PairingRoom.lane(of: 9)), .secret([1]), .taken(path: []), .chosen,
                .nonce(.zero), .commitment(.zero),
            ]
            say([early[Int(random.next() % UInt64(early.count))]], to: other)
        }
    }

    /// He chooses both devices, and consents to whatever is shown.
    private func play(_ bytes: [UInt8], _ id: SessionID, _ run: Run, random: inout SeededRandom) {
        guard let message = try? PairingMessage(decoding: bytes) else { return closed(id) }
        var source: any RandomSource = random.split()
        do {
            if id == run.giver {
                say(try run.withGiver.received(message, random: &source), to: id)
                if case .hello = message { say(run.withGiver.choose(random: &source), to: id) }
                say(run.withGiver.confirm(), to: id)
            } else if way == .grinds, case .commitment = message, let goal = run.withGiver.digits {
                _ = try run.withTaker.received(message, random: &source)
                // He knows what the giver shows, but not what the taker has bound itself to, so a nonce that would fit
                // a guess at that is as good as any.
                let guess: Bytes32 = random.identifier()
                for _ in 0..<2_000 {
                    let nonce: Bytes32 = random.identifier()
                    let digits = run.withTaker.proof.digits(giversNonce: nonce, takersNonce: guess)
                    if digits.number % 100 == goal.number % 100 { return say([.nonce(nonce)], to: id) }
                }
            } else {
                say(try run.withTaker.received(message, random: &source), to: id)
                if case .hello = message { say(run.withTaker.choose(random: &source), to: id) }
                say(run.withTaker.confirm(), to: id)
            }
        } catch {
            closed(id)
        }
    }
}
