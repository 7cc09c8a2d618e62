import Glibc
import NodeCore
import ProcessHarness

/// Connections to a node from many addresses of this machine that never shake hands: half of them say nothing, the
/// others send a byte a second. Closed ones are opened again at once.
final class SilentCrowd: Sendable {
    private static let connectionsPerAddress = 8

    private struct State {
        var opened = 0
        var isOver = false
    }

    private struct Member {
        let source: String
        let drips: Bool
        var probe: TCPProbe?
        var spokeAt = MonotonicTime.zero
    }

    private let port: UInt16
    private let sources: [String]
    private let state = Lock(State())

    init(port: UInt16, sources: [String]) {
        self.port = port
        self.sources = sources
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<SilentCrowd>.fromOpaque(context).takeRetainedValue().work() }
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
        pthread_detach(thread)
    }

    /// The number of connections so far.
    var opened: Int { state.withLock { $0.opened } }

    func leave() { state.withLock { $0.isOver = true } }

    private func work() {
        var members = sources.flatMap { source in
            (0..<Self.connectionsPerAddress).map { Member(source: source, drips: $0 % 2 == 0) }
        }
        let clock = SystemClock()
        // It is bounded in case nobody ends it.
        let deadline = Deadline(after: Deadline.patience * 2)
        while !state.withLock({ $0.isOver }) && !deadline.hasPassed {
            for index in members.indices {
                if members[index].probe?.isClosed(within: .zero) ?? true {
                    members[index].probe = try? TCPProbe(port: port, from: members[index].source)
                    if members[index].probe != nil { state.withLock { $0.opened += 1 } }
                }
                let now = clock.now()
                if members[index].drips, now - members[index].spokeAt >= .seconds(1) {
                    members[index].spokeAt = now
                    // These begin a hint: at that rate, a first message takes longer than anybody waits.
                    _ = members[index].probe?.send([0], within: .zero)
                }
            }
            usleep(1_000)
        }
    }
}
