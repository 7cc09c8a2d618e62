import Gossip
import NodeCore
import SyncState

/// One session between two nodes of a history: the real messages of the real engine, turn by turn, until both are quiet
/// or the connection breaks.
struct HistorySync {
    /// A session with more turns than this is considered endless.
    private static let maximumTurns = 4_000
    /// After this long without a message, whatever waits for a quiet session is done.
    private static let pause: Duration = .seconds(2)

    enum Outcome {
        case quiet
        case cut
        case endless
    }

    let nodes: [HistoryNode]
    let mayBeCut: Bool
    /// The number of this session, unique in the history.
    let number: UInt64

    func run(_ random: inout SeededRandom) throws -> Outcome {
        let id = SessionID(number)
        let handshakeHash = (0..<32).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0 % 8))) }
        var queues: [[[UInt8]]] = [[], []]
        var isClosed = false
        for (index, node) in nodes.enumerated() {
            node.sync.opened(id, isInitiator: index == 0, handshakeHash: handshakeHash, now: node.now)
        }
        var turns = 0
        var hasPaused = false
        while !isClosed {
            var isQuiet = true
            for index in [0, 1] {
                let node = nodes[index]
                let inbox = queues[index]
                queues[index] = []
                // A turn takes any part of the waiting messages, in order.
                let taken = inbox.isEmpty ? 0 : Int.random(in: 1...inbox.count, using: &random)
                for message in inbox.prefix(taken) { try node.sync.received(message, on: id, now: node.now) }
                queues[index] = Array(inbox.dropFirst(taken))
                try node.sync.endTurn(now: node.now)
                if node.sync.isServing(id) { try node.sync.produce(on: id, budgetBytes: 400) }
                for action in node.sync.takeActions() {
                    switch action {
                    case .send(_, let bytes, _): queues[1 - index].append(bytes)
                    case .close: isClosed = true
                    case .dial, .connected, .synced, .news, .note: break
                    }
                }
                if taken > 0 || !queues[1 - index].isEmpty || node.sync.isServing(id) { isQuiet = false }
                turns += 1
                if mayBeCut, turns > 2, Double.random(in: 0..<1, using: &random) < 0.08 {
                    close(id)
                    return .cut
                }
            }
            if isQuiet, hasPaused { break }
            hasPaused = isQuiet
            for node in nodes where isQuiet {
                node.now = node.now + Self.pause
                node.sync.tick(now: node.now)
            }
            if turns > Self.maximumTurns {
                close(id)
                return .endless
            }
        }
        // Messages sent before a close still arrive, as on a connection that is closed normally.
        for index in [0, 1] where isClosed {
            for message in queues[index] { try nodes[index].sync.received(message, on: id, now: nodes[index].now) }
            try nodes[index].settle()
        }
        close(id)
        return .quiet
    }

    private func close(_ id: SessionID) {
        for node in nodes {
            node.sync.closed(id, now: node.now)
            _ = node.sync.takeActions()
        }
    }
}
