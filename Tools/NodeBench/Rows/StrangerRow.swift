import Node
import NodeCore
import Transport

/// The cost of strangers at a node of many zones: one table of hints a second, and a look-up for each connection.
struct StrangerRow {
    /// 64 zones, each with the keys of 16 epochs.
    private static let doors = 64 * 16
    private static let connections = 2_000

    func measure() throws -> [Figure] {
        var random = SystemRandom()
        let keys = (0..<Self.doors).map { _ in
            DoorKeys(discovery: Secret(random: &random, count: 32), psk: Secret(random: &random, count: 32))
        }
        return [
            Figure(
                row: "stranger", what: "the table of hints of \(Self.doors) keys, each second",
                value: try tableMilliseconds(keys), unit: "ms"),
            Figure(
                row: "stranger", what: "a first message at \(Self.doors) keys",
                value: try connectionMicroseconds(keys), unit: "us",
                goal: .atMost(5)),
        ]
    }

    /// The first connection of a second makes the table.
    private func tableMilliseconds(_ keys: [DoorKeys]) throws -> Double {
        var random = SystemRandom()
        var times: [Double] = []
        for _ in 0..<21 {
            let doors = Doors(keys: keys, challenge: random.bytes(Transport.Limits.challengeBytes))
            times.append(Double(try nanoseconds(openings: 1, at: doors)) / 1e6)
        }
        return times.median
    }

    private func connectionMicroseconds(_ keys: [DoorKeys]) throws -> Double {
        var random = SystemRandom()
        var times: [Double] = []
        for _ in 0..<21 {
            let doors = Doors(keys: keys, challenge: random.bytes(Transport.Limits.challengeBytes))
            _ = try nanoseconds(openings: 1, at: doors)
            times.append(
                Double(try nanoseconds(openings: Self.connections, at: doors)) / Double(Self.connections) / 1e3)
        }
        return times.median
    }

    /// The time of that many sessions with strangers, from accepting to refusing.
    private func nanoseconds(openings count: Int, at doors: Doors) throws -> Int64 {
        let clock = SystemClock()
        var random = SystemRandom()
        let openings = (0..<count).map { _ in random.bytes(56) }
        let start = clock.now()
        for opening in openings {
            let responder = SessionMachine(responderAt: doors, random: &random, now: start)
            guard responder.receive(opening, now: start) == [.failed(.noMatchingKey)] else {
                throw BenchError("a stranger was let in")
            }
        }
        return (clock.now() - start).heldNanoseconds
    }
}
