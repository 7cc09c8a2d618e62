import Node
import NodeCore
import Transport

/// The cost of a stranger's first message: it is tried with each of the node's keys.
struct StrangerRow {
    func measure() throws -> [Figure] {
        try [17, 1_088].map { keys in
            Figure(
                row: "stranger", what: "a first message tried with \(keys) keys", value: try milliseconds(keys),
                unit: "ms")
        }
    }

    private func milliseconds(_ count: Int) throws -> Double {
        let clock = SystemClock()
        var random = SystemRandom()
        let staticKey = X25519.KeyPair(secret: Secret(random: &random, count: 32))
        let candidates = (0..<count).map { id in
            SessionCandidate(
                id: id, psk: Secret(random: &random, count: 32), staticKey: staticKey, isCurrent: id * 17 < count)
        }
        var times: [Double] = []
        for _ in 0..<21 {
            let responder = SessionMachine(responderWith: candidates, random: &random, now: clock.now())
            let stranger = SessionMachine(
                initiatorWith: Secret(random: &random, count: 32), staticKey: staticKey, random: &random,
                now: clock.now())
            _ = stranger.receive(output(of: responder), now: clock.now())
            let first = output(of: stranger)
            let start = clock.now().nanoseconds
            guard case .failed? = responder.receive(first, now: clock.now()).first else {
                throw BenchError("a stranger was let in")
            }
            times.append(Double(clock.now().nanoseconds - start) / 1e6)
        }
        return times.median
    }

    private func output(of session: SessionMachine) -> [UInt8] {
        var output = OutputBuffer()
        session.drain(upTo: 1 << 16, into: &output)
        return output.withUnsafeBytes { Array($0) }
    }
}
