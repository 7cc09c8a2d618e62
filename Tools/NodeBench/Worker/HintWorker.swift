import Chat
import Node
import NodeCore
import SyncState
import Transport

/// A new device that gets hints during its restore for messages whose bodies it lacks, and records when they arrive.
final class HintWorker {
    /// Pause between two hints, whatever the node is doing.
    private static let pause: Duration = .milliseconds(4)
    private let options: BenchOptions
    private let node: EmbeddedNode
    private let clock = SystemClock()
    private var next = 0
    private var candidate = 0
    private var nextAt: MonotonicTime?
    private var waiting: [(txid: TxID, since: Int64)] = []
    private var times: [Int64] = []
    /// The content that was still missing when the last message was requested.
    private var left = BlobSum()

    init(_ options: BenchOptions) throws {
        self.options = options
        node = try EmbeddedNode(home: try options.folder)
    }

    func run() throws {
        _ = try node.listen(on: SocketAddress(ipv4: 0x7f00_0001, port: 0))
        try node.loop.handleSignals { [node] _ in node.stop() }
        node.dial(SocketAddress(ipv4: 0x7f00_0001, port: try options.port))
        node.beforeTurn = { [unowned self] now in attempt { try hint(now) } }
        node.afterTurn = { [unowned self] _ in attempt { look() } }
        try node.run()
        node.close()
    }

    private func attempt(_ body: () throws -> Void) {
        node.attempt(body)
        if let nextAt { node.loop.deadline = min(nextAt, node.loop.deadline ?? nextAt) }
    }

    /// From the first blob on, gives a hint every few milliseconds; hints delayed by a long turn follow at its end.
    private func hint(_ now: MonotonicTime) throws {
        guard !isOver, node.zone.store.fetched.blobs > 0 else { return }
        while !isOver, nextAt ?? now <= now {
            nextAt = (nextAt ?? now) + Self.pause
            try hintOne()
        }
        left = node.zone.store.total.wanted
        if isOver { nextAt = nil }
    }

    /// A message that the restore has already brought would not be a measurement.
    private func hintOne() throws {
        while candidate < HintFill.candidates {
            let txid = HintFill.txid(HintFill.hinted(candidate), seed: options.seed)
            candidate += 1
            let since = clock.now().nanoseconds
            guard try node.zone.hint(Stub(txid: txid, hintedAt: clock.wall())) == .new else { continue }
            next += 1
            waiting.append((txid, since))
            return
        }
    }

    /// All hints were given, or the restore was faster and nothing is left to request.
    private var isOver: Bool { next == HintFill.hints || candidate == HintFill.candidates }

    private func look() {
        let now = clock.now().nanoseconds
        let stubs = node.zone.chat.stubs
        times += waiting.filter { !stubs.contains($0.txid) }.map { now - $0.since }
        waiting.removeAll { !stubs.contains($0.txid) }
        guard isOver, waiting.isEmpty, !times.isEmpty else { return }
        Worker.say("left", Int64(left.blobs), Int64(left.bytes))
        Worker.say("hints", times)
        times = []
    }
}
