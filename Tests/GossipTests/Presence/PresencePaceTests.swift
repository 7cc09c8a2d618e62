import NodeCore
import TestScale
import Testing

@testable import Gossip

/// Runs the real machine in a model: many nodes on one link, lost beacons, jittered pulls, and eight pulls at a time
/// from one node.
@Suite("Presence: pace")
struct PresencePaceTests {
    struct Outcome {
        /// The beacons per second of all nodes together, while all agree.
        var idleBeaconsPerSecond = 0.0
        /// The time from the change until all have it, in virtual seconds.
        var everywhereAfter = Double.infinity
        /// The beacons in the minute after the change.
        var burst = 0
    }

    @Test(
        "Idle traffic does not grow with the number of nodes, and a change is everywhere within a second or two",
        arguments: TestScale.of(usual: [2, 20], proof: [2, 10, 50]), [0.0, 0.2])
    func pace(nodes: Int, loss: Double) {
        let runs = (1...5).map { Self.run(nodes: nodes, loss: loss, seed: $0) }
        let idle = runs.map(\.idleBeaconsPerSecond).reduce(0, +) / Double(runs.count)
        let everywhere = runs.map(\.everywhereAfter).reduce(0, +) / Double(runs.count)
        // A model without echoes gives 0.03 to 0.10 and 0.57 to 1.53. Only echoed nodes can act on a beacon; with more
        // nodes than echoes, the rest wait for another's beacon.
        #expect(idle > 0.01 && idle < 0.15)
        #expect(everywhere < (nodes <= 20 ? 1.6 : 2.5))
        #expect(runs.map(\.burst).max() ?? 0 < 150)
    }

    private enum Event {
        case timer(Int)
        case change
        case pull(by: Int, from: Int)
        case done(by: Int, from: Int)
    }

    private static func run(nodes count: Int, loss: Double, seed: Int) -> Outcome {
        var world = PaceWorld(nodes: count, loss: loss, seed: UInt64(seed))
        return world.run()
    }

    private struct PaceWorld {
        private static let settled = MonotonicTime.zero + .seconds(600)
        private static let changed = MonotonicTime.zero + .seconds(900)

        private var random: any RandomSource
        private let loss: Double
        private var nodes: [Presence] = []
        private var versions: [Int]
        private var pulling: [Bool]
        private var serving: [Int]
        private var queue: [(at: MonotonicTime, event: Event)] = []
        private var outcome = Outcome()
        private var idle = 0

        init(nodes count: Int, loss: Double, seed: UInt64) {
            self.loss = loss
            random = SeededRandom(seed: seed)
            versions = [Int](repeating: 0, count: count)
            pulling = [Bool](repeating: false, count: count)
            serving = [Int](repeating: 0, count: count)
            for number in 0..<count {
                let start = MonotonicTime.zero + .random(in: .zero ... .milliseconds(500), using: &random)
                var node = Presence(now: start, random: SeededRandom(seed: seed * 1_000 + UInt64(number)))
                node.onListening(port: UInt16(4_000 + number))
                node.onPlaces([PresenceFixture.presencePlace()], now: start)
                node.onLinks([PresenceFixture.link(number)], now: start)
                nodes.append(node)
            }
            queue.append((Self.changed, .change))
        }

        mutating func run() -> Outcome {
            let end = Self.changed + .seconds(60)
            while true {
                let next = queue.indices.min { queue[$0].at < queue[$1].at }
                let timer = nodes.indices.compactMap { index in nodes[index].deadline.map { (at: $0, index: index) } }
                    .min { ($0.at, $0.index) < ($1.at, $1.index) }
                if let next, queue[next].at <= timer?.at ?? .distantFuture {
                    let (at, event) = queue.remove(at: next)
                    perform(event, now: at)
                } else if let timer, timer.at < end {
                    perform(.timer(timer.index), now: timer.at)
                } else {
                    break
                }
            }
            outcome.idleBeaconsPerSecond = Double(idle) / 300
            return outcome
        }

        private mutating func perform(_ event: Event, now: MonotonicTime) {
            switch event {
            case .timer(let sender):
                for case .send(let bytes, _) in nodes[sender].onTimer(now: now) {
                    spread(bytes, from: sender, now: now)
                }
            case .change:
                versions[0] = 1
                nodes[0].onDigest(PresenceFixture.digest(1), place: PresenceFixture.place(1), isLocal: true, now: now)
            case .pull(let puller, let server):
                if versions[puller] == 1 {
                    pulling[puller] = false
                } else if serving[server] >= 8 {
                    let wait = Duration.random(in: .milliseconds(50) ... .milliseconds(350), using: &random)
                    queue.append((now + wait, event))
                } else {
                    serving[server] += 1
                    queue.append((now + .milliseconds(30), .done(by: puller, from: server)))
                }
            case .done(let puller, let server):
                serving[server] -= 1
                pulling[puller] = false
                versions[puller] = 1
                nodes[puller].onDigest(
                    PresenceFixture.digest(1), place: PresenceFixture.place(1), isLocal: false, now: now)
                if !versions.contains(0) {
                    outcome.everywhereAfter = Double((now - Self.changed).heldMilliseconds) / 1_000
                }
            }
        }

        private mutating func spread(_ bytes: [UInt8], from sender: Int, now: MonotonicTime) {
            if now >= Self.settled, now < Self.changed { idle += 1 }
            if now >= Self.changed { outcome.burst += 1 }
            for receiver in nodes.indices where receiver != sender {
                if Double.random(in: 0..<1, using: &random) < loss { continue }
                let source = PresenceFixture.address(sender)
                let actions = nodes[receiver].onDatagram(bytes, from: source, interfaceIndex: 2, now: now)
                for sighting in actions.compactMap(\.sighting) {
                    #expect(sighting.isInSync == (versions[sender] == versions[receiver]))
                    guard versions[receiver] < versions[sender], !pulling[receiver] else { continue }
                    pulling[receiver] = true
                    let wait = Duration.random(in: .zero ... .milliseconds(250), using: &random)
                    queue.append((now + wait, .pull(by: receiver, from: sender)))
                }
            }
        }
    }
}
