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

    /// How soon a ready descriptor is handled.
    package enum Pace {
        case atOnce
        /// Anybody can make it ready. It is handled at once for as long as that is rare, otherwise together with all
        /// others of this pace, a thousand times a second. A turn costs more than most of what strangers send, so they
        /// must not determine how many turns there are.
        case shared
    }

    package typealias Handler = (_ readiness: Readiness, _ now: MonotonicTime) -> Void

    private struct Entry {
        let number: UInt32
        var pace: Pace
        var interest: Readiness
        let handler: Handler
    }

    /// The loop's interface for other threads.
    package let handle: LoopHandle
    /// The latest time to wake; nil to wake only when something is ready.
    package var deadline: MonotonicTime?
    /// Called at the start of each turn, before any handler.
    package var onWake: (_ now: MonotonicTime) -> Void = { _ in }
    /// Called at the end of each turn, after all handlers that were ready.
    package var onTurn: (_ now: MonotonicTime) -> Void = { _ in }
    /// One buffer that all connections of this loop read into in turn.
    package let readBuffer: UnsafeMutableRawBufferPointer
    /// Number of turns so far.
    package private(set) var turns: UInt64 = 0

    private let clock: any Clock
    private let poller: Poller
    /// Watches the descriptors of shared pace. The main one watches it in turn, except during a pause.
    private let shared: Poller
    /// The time at which the turns of the shared pace so far are paid for, at a millisecond each.
    private var sharedPaidAt = MonotonicTime.zero
    /// The end of a pause of the shared pace; nil if there is none.
    private var sharedResumesAt: MonotonicTime?
    /// Indexed by descriptor number, which the kernel keeps small.
    private var entries: [Entry?] = []
    private var nextNumber: UInt32 = 1
    private var signals: SignalDescriptor?
    private var isStopping = false

    package init(clock: any Clock = SystemClock()) throws(SystemError) {
        self.clock = clock
        poller = try Poller()
        shared = try Poller()
        handle = try LoopHandle()
        readBuffer = .allocate(byteCount: Limits.readBufferBytes, alignment: 64)
        System.ignoreBrokenPipes()
        System.returnLargeBuffers()
        try poller.add(handle.descriptor, number: 0, interest: .readable)
        try poller.add(shared.descriptor, number: 0, interest: .readable)
    }

    deinit {
        readBuffer.deallocate()
    }

    /// Watches `descriptor` for `interest` and calls `handler` in each turn in which it is ready, until `deregister`.
    package func register(
        _ descriptor: Int32, interest: Readiness, pace: Pace = .atOnce, handler: @escaping Handler
    ) throws(SystemError) -> Registration {
        let index = Int(descriptor)
        if index >= entries.count {
            entries.append(contentsOf: repeatElement(nil, count: index + 1 - entries.count))
        }
        precondition(entries[index] == nil, "invariant: a descriptor is registered once")
        let number = nextNumber
        // Number 0 belongs to the loop's own descriptors.
        nextNumber = nextNumber == .max ? 1 : nextNumber + 1
        try with(pace) { poller throws(SystemError) in
            try poller.add(descriptor, number: number, interest: interest)
        }
        entries[index] = Entry(number: number, pace: pace, interest: interest, handler: handler)
        return Registration(descriptor: descriptor, number: number)
    }

    /// Changes what the descriptor is watched for.
    package func modify(_ registration: Registration, interest: Readiness) throws(SystemError) {
        let index = Int(registration.descriptor)
        guard let entry = entries[index], entry.number == registration.number, entry.interest != interest else {
            return
        }
        try with(entry.pace) { poller throws(SystemError) in
            try poller.modify(registration.descriptor, number: registration.number, interest: interest)
        }
        entries[index]?.interest = interest
    }

    /// Handles the descriptor at once from now on: its other end has shown that it belongs here.
    package func hurry(_ registration: Registration) throws(SystemError) {
        let index = Int(registration.descriptor)
        guard let entry = entries[index], entry.number == registration.number, entry.pace == .shared else { return }
        try shared.remove(registration.descriptor)
        try poller.add(registration.descriptor, number: registration.number, interest: entry.interest)
        entries[index]?.pace = .atOnce
    }

    /// Call this before closing the descriptor. Its handler is not called any more, not even in this turn.
    package func deregister(_ registration: Registration) {
        let index = Int(registration.descriptor)
        guard let entry = entries[index], entry.number == registration.number else { return }
        entries[index] = nil
        do {
            try with(entry.pace) { poller throws(SystemError) in try poller.remove(registration.descriptor) }
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
    /// `onWake` and `onTurn`, which usually hold the loop's owner.
    package func run() throws(SystemError) {
        while !isStopping {
            try turn()
        }
        for job in handle.close() { job() }
        turnEnds(now: clock.now())
        (onWake, onTurn) = ({ _ in }, { _ in })
    }

    /// Makes `run()` return after the current turn.
    package func stop() {
        isStopping = true
    }

    /// Takes one turn, waiting no longer than until `deadline` and for `limit`.
    package func turn(limit: Duration? = nil) throws(SystemError) {
        let count = try poller.wait(milliseconds: waitMilliseconds(limit: limit))
        let now = clock.now()
        onWake(now)
        var isSharedReady = false
        for index in 0..<count {
            let event = poller.event(at: index)
            if event.number == 0, event.descriptor == shared.descriptor {
                isSharedReady = true
            } else {
                dispatch(event, now: now)
            }
        }
        if isSharedReady || sharedResumesAt.map({ now >= $0 }) == true { try takeShared(now) }
        turnEnds(now: now)
    }

    /// Handles what is ready of the shared pace. If that was too often lately, a pause follows.
    private func takeShared(_ now: MonotonicTime) throws(SystemError) {
        let count = try shared.wait(milliseconds: 0)
        for index in 0..<count {
            dispatch(shared.event(at: index), now: now)
        }
        if count > 0 { sharedPaidAt = max(sharedPaidAt, now) + Limits.sharedPause }
        let mustPause = count > 0 && sharedPaidAt - now >= Limits.sharedPause * Limits.sharedTurnsAtOnce
        if mustPause != (sharedResumesAt != nil) {
            try poller.modify(shared.descriptor, number: 0, interest: mustPause ? [] : .readable)
        }
        sharedResumesAt = mustPause ? now + Limits.sharedPause : nil
    }

    private func with(_ pace: Pace, _ body: (borrowing Poller) throws(SystemError) -> Void) throws(SystemError) {
        switch pace {
        case .atOnce: try body(poller)
        case .shared: try body(shared)
        }
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
        if isStopping { return 0 }
        var wait = limit?.heldNanoseconds
        if let due = [deadline, sharedResumesAt].compactMap(\.self).min() {
            let untilDeadline = (due - clock.now()).heldNanoseconds
            wait = min(wait ?? .max, untilDeadline)
        }
        guard let wait else { return -1 }
        guard wait > 0 else { return 0 }
        return Int32(clamping: (wait - 1) / 1_000_000 + 1)
    }
}
