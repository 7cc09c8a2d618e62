import Node
import NodeCore
import ProcessHarness
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
        var (tables, connections): ([Double], [Double]) = ([], [])
        for _ in 0..<21 {
            let doors = Doors(keys: keys, challenge: random.bytes(Transport.Limits.challengeBytes))
            // The first connection of a second makes the table.
            tables.append(try milliseconds(openings: 1, at: doors))
            connections.append(try milliseconds(openings: Self.connections, at: doors) / Double(Self.connections))
        }
        return [
            Figure("stranger", "the table of hints of \(Self.doors) keys, each second", tables.median, "ms"),
            Figure(
                "stranger", "a first message at \(Self.doors) keys", connections.median * 1_000, "us",
                goal: .atMost(5)),
        ]
    }

    /// The time of that many sessions with strangers, from accepting to refusing.
    private func milliseconds(openings count: Int, at doors: Doors) throws -> Double {
        var random = SystemRandom()
        let openings = (0..<count).map { _ in random.bytes(56) }
        let (start, time) = (SystemClock().now(), Stopwatch())
        for opening in openings {
            let responder = SessionMachine(responderAt: doors, random: &random, now: start)
            guard responder.receive(opening, now: start) == [.failed(.noMatchingKey)] else {
                throw BenchError("a stranger was let in")
            }
        }
        return time.milliseconds
    }
}
