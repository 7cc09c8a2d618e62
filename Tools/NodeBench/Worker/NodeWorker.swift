import Chat
import Glibc
import Node
import NodeCore
import SyncState
import Transport

/// A node that reports when the expected data has arrived, and runs until it gets SIGTERM.
final class NodeWorker {
    private let options: BenchOptions
    private let node: EmbeddedNode
    private let clock = SystemClock()
    /// The time it began to look for its peer.
    private var dialled: Int64
    /// The newest messages; the first `readable` of them were found.
    private let newest: [TxID]
    private var readable = 0
    private var seenSegments = -1
    private var isComplete = false
    private var pushed: [Int64] = []
    private var nextPush: MonotonicTime?
    private var seen: [Int64] = []

    init(_ options: BenchOptions) throws {
        dialled = clock.now().nanoseconds
        self.options = options
        node = try EmbeddedNode(home: try options.folder, discovery: options.discovery)
        newest = try options.newest.map { try TxIDList.read($0) } ?? []
    }

    private static func loopback(_ port: UInt16) -> SocketAddress { SocketAddress(ipv4: 0x7f00_0001, port: port) }

    func run() throws {
        Worker.say("listen", Int64(try node.listen(on: Self.loopback(0))))
        try node.loop.handleSignals { [node] _ in
            let traffic = node.traffic
            Worker.say("wire", Int64(traffic.sent), Int64(traffic.received))
            node.stop()
        }
        if let port = options.portIfGiven {
            dialled = clock.now().nanoseconds
            node.dial(Self.loopback(port))
        }
        node.beforeTurn = { [unowned self] now in push(now) }
        node.afterTurn = { [unowned self] now in look(now) }
        try node.run()
        Worker.say("beacons", Int64(node.beaconBytes))
        Worker.sayUsage()
        node.close()
    }

    private func look(_ now: MonotonicTime) {
        node.attempt {
            try lookForNewest()
            if options.pushes > 0 { try lookForPushed() }
            if !isComplete { try lookWhetherComplete() }
        }
        if let nextPush { node.loop.deadline = min(nextPush, node.loop.deadline ?? nextPush) }
    }

    private func lookForNewest() throws {
        guard readable < newest.count else { return }
        let segments = node.zone.store.recordCount - node.zone.store.wantedCount
        guard segments != seenSegments else { return }
        seenSegments = segments
        while readable < newest.count, try node.zone.chat.message(newest[readable]) != nil { readable += 1 }
        if readable == newest.count { Worker.say("newest", clock.now().nanoseconds) }
    }

    private func lookWhetherComplete() throws {
        let store = node.zone.store
        guard store.recordCount >= options.records, store.wantedCount == 0, !options.waitsForPeer || node.isCaughtUp
        else { return }
        if options.messages > 0 {
            try node.zone.chat.flush()
            guard try node.zone.chat.stats().messages >= options.messages else { return }
        }
        isComplete = true
        Worker.say(
            "complete", clock.now().nanoseconds, dialled, node.firstSession?.nanoseconds ?? 0,
            Int64(store.recordCount))
        if options.role == .writer { nextPush = clock.now() + .milliseconds(200) }
    }

    // MARK: Pushing

    /// The txid of a pushed message, known to both sides.
    private func txid(_ number: Int) -> TxID { TxID(Blake2b.hash32(Array("\(options.seed).\(number)".utf8))) }

    private func push(_ now: MonotonicTime) {
        guard let due = nextPush, due <= now, pushed.count < options.pushes else { return }
        nextPush = pushed.count + 1 < options.pushes ? now + .milliseconds(5) : nil
        let accepted = clock.now()
        let wall = clock.wall().milliseconds
        let message = ChatMessage(
            txid: txid(pushed.count), conversationID: "push", contact: "somebody", direction: .sent,
            senderTimestamp: UInt64(wall / 1_000), blockTime: UInt64(wall), status: .seen,
            body: "Measured message number \(pushed.count), of a length that people write.")
        pushed.append(accepted.nanoseconds)
        node.attempt {
            _ = try node.zone.accept(message, now: accepted)
            try node.zone.cut(force: true, now: accepted)
        }
        if pushed.count == options.pushes { Worker.say("pushed", pushed) }
    }

    private func lookForPushed() throws {
        guard options.role == .reader else { return }
        while seen.count < options.pushes, try node.zone.chat.message(txid(seen.count)) != nil {
            seen.append(clock.now().nanoseconds)
            if seen.count == options.pushes { Worker.say("seen", seen) }
        }
    }
}
