import CLinuxShim
import Glibc
package import NodeCore

/// The node's single thread. In each turn it waits, lets handlers of ready descriptors and submitted jobs feed the
/// cores, then calls `onTurn` once, where the owner commits its stores and only then writes to sockets.
///
/// Everything here belongs to the thread that calls `run()`; other threads use `handle`.
package final class EventLoop {
    /// Identifies one registration. A reused descriptor number gets a new one.
    package struct Registration: Hashable, Sendable {
        let descriptor: Int32
        let number: UInt32
    }

    package typealias Handler = (_ readiness: Readiness, _ now: MonotonicTime) -> Void

    private struct Entry {
        let number: UInt32
        var interest: Readiness
        let handler: Handler
    }

    /// The loop's interface for other threads.
    package let handle: LoopHandle
    /// The latest time to wake; nil to wake only when something is ready.
    package var deadline: MonotonicTime?
    /// Called at the end of each turn, after all handlers that were ready.
    package var onTurn: (_ now: MonotonicTime) -> Void = { _ in }
    /// One buffer that all connections of this loop read into in turn.
    package let readBuffer: UnsafeMutableRawBufferPointer
    /// Number of turns so far.
    package private(set) var turns: UInt64 = 0

    private let clock: any Clock
    private let poller: Poller
    /// Indexed by descriptor number, which the kernel keeps small.
    private var entries: [Entry?] = []
    private var nextNumber: UInt32 = 1
    private var signals: SignalDescriptor?
    private var isStopping = false

    package init(clock: any Clock = SystemClock()) throws(SystemError) {
        self.clock = clock
        poller = try Poller()
        handle = try LoopHandle()
        readBuffer = .allocate(byteCount: Limits.readBufferBytes, alignment: 64)
        System.ignoreBrokenPipes()
        System.returnLargeBuffers()
        try poller.add(handle.descriptor, number: 0, interest: .readable)
    }

    deinit {
        readBuffer.deallocate()
    }

    /// Watches `descriptor` for `interest` and calls `handler` in each turn in which it is ready, until `deregister`.
    package func register(
        _ descriptor: Int32, interest: Readiness, handler: @escaping Handler
    ) throws(SystemError) -> Registration {
        let index = Int(descriptor)
        if index >= entries.count {
            entries.append(contentsOf: repeatElement(nil, count: index + 1 - entries.count))
        }
        precondition(entries[index] == nil, "invariant: a descriptor is registered once")
        let number = nextNumber
        // Number 0 belongs to the wake-up descriptor.
        nextNumber = nextNumber == .max ? 1 : nextNumber + 1
        try poller.add(descriptor, number: number, interest: interest)
        entries[index] = Entry(number: number, interest: interest, handler: handler)
        return Registration(descriptor: descriptor, number: number)
    }

    /// Changes what the descriptor is watched for.
    package func modify(_ registration: Registration, interest: Readiness) throws(SystemError) {
        let index = Int(registration.descriptor)
        guard entries[index]?.number == registration.number, entries[index]?.interest != interest else { return }
        try poller.modify(registration.descriptor, number: registration.number, interest: interest)
        entries[index]?.interest = interest
    }

    /// Call this before closing the descriptor. Its handler is not called any more, not even in this turn.
    package func deregister(_ registration: Registration) {
        let index = Int(registration.descriptor)
        guard entries[index]?.number == registration.number else { return }
        entries[index] = nil
        do {
            try poller.remove(registration.descriptor)
        } catch {
            preconditionFailure("invariant: a registered descriptor is in the poller: \(error)")
        }
    }

    /// Calls `handler` on the loop's thread for each signal in `numbers`. Blocks them in this thread and in those it
    /// starts later, so call it before starting any other thread.
    package func handleSignals(
        _ numbers: [Int32] = [SIGTERM, SIGINT], _ handler: @escaping (_ signal: Int32) -> Void
    ) throws(SystemError) {
        precondition(signals == nil, "invariant: signals are handled in one place")
        let descriptor = try SignalDescriptor(signals: numbers)
        _ = try register(descriptor.descriptor, interest: .readable) { _, _ in
            while let signal = descriptor.next() { handler(signal) }
        }
        signals = descriptor
    }

    /// Takes turns until `stop()`. All jobs submitted before that are run. Afterwards the loop is finished and releases
    /// `onTurn`, which usually holds the loop's owner.
    package func run() throws(SystemError) {
        while !isStopping, !handle.isStopping {
            try turn()
        }
        for job in handle.close() { job() }
        turnEnds(now: clock.now())
        onTurn = { _ in }
    }

    /// Makes `run()` return after the current turn.
    package func stop() {
        isStopping = true
    }

    /// Takes one turn, waiting no longer than until `deadline` and for `limit`.
    package func turn(limit: Duration? = nil) throws(SystemError) {
        let count = try poller.wait(milliseconds: waitMilliseconds(limit: limit))
        let now = clock.now()
        for index in 0..<count {
            dispatch(poller.event(at: index), now: now)
        }
        turnEnds(now: now)
    }

    private func turnEnds(now: MonotonicTime) {
        turns += 1
        onTurn(now)
    }

    private func dispatch(_ event: Poller.Event, now: MonotonicTime) {
        if event.number == 0 {
            for job in handle.takeJobs() { job() }
            return
        }
        guard let entry = entries[Int(event.descriptor)], entry.number == event.number else { return }
        entry.handler(event.readiness, now)
    }

    /// Rounded up, so that a deadline has passed when the loop wakes for it.
    private func waitMilliseconds(limit: Duration?) -> Int32 {
        if isStopping || handle.isStopping { return 0 }
        var wait = limit?.heldNanoseconds
        if let deadline {
            let untilDeadline = (deadline - clock.now()).heldNanoseconds
            wait = min(wait ?? .max, untilDeadline)
        }
        guard let wait else { return -1 }
        guard wait > 0 else { return 0 }
        return Int32(clamping: (wait - 1) / 1_000_000 + 1)
    }
}
