import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Tells tasks when their sockets are ready. One thread serves all of them with poll(2); it starts with the first wait.
final class Readiness: Sendable {
    private enum Outcome {
        case ready
        case timedOut
        case cancelled
    }

    private struct Waiter {
        let descriptor: Int32
        let events: Int16
        let deadline: Deadline
        let continuation: CheckedContinuation<Outcome, Never>
    }

    private struct State {
        /// Ordered by number.
        var waiters: [(number: UInt64, waiter: Waiter)] = []
        var nextNumber: UInt64 = 0
        var hasThread = false
    }

    static let shared = Readiness()

    private let state = Mutex(State())
    /// Writing a byte wakes the thread.
    private let wakeUp: (read: Int32, write: Int32)

    private init() {
        var ends: [Int32] = [-1, -1]
        let made = socketpair(AF_UNIX, Socket.streamKind, 0, &ends)
        precondition(made == 0, "invariant: a process that opens sockets can have one more pair")
        ends.forEach(Socket.prepare)
        wakeUp = (ends[0], ends[1])
    }

    /// Waits until the descriptor is ready for one of the events of poll(2). It must stay open during the wait.
    ///
    /// - Throws: `timed-out`, `cancelled`.
    func wait(for events: Int32, of descriptor: Int32, until deadline: Deadline) async throws(ClientError) {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Outcome, Never>) in
                let waiter = Waiter(
                    descriptor: descriptor, events: Int16(events), deadline: deadline, continuation: continuation)
                // Under the lock, an earlier cancellation is seen here, and a later one finds the waiter.
                let isCancelled = state.withLock { state in
                    guard !Task.isCancelled else { return true }
                    state.waiters.append((number, waiter))
                    startThread(&state)
                    return false
                }
                if isCancelled { continuation.resume(returning: .cancelled) } else { wake() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0).waiter }
            }
            waiter?.continuation.resume(returning: .cancelled)
        }
        switch outcome {
        case .ready: return
        case .timedOut: throw ClientError(.timedOut, "the node did not answer in time")
        case .cancelled: throw .cancelled
        }
    }

    private func wake() {
        var byte: UInt8 = 0
        // If the buffer is full, the thread is waking anyway.
        _ = Socket.write(wakeUp.write, &byte, 1)
    }

    // MARK: The thread

    private func startThread(_ state: inout State) {
        guard !state.hasThread else { return }
        state.hasThread = true
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        // The one instance lives as long as the process.
        let failed = pthread_create(&thread, nil, { _ in while true { Readiness.shared.turn() } }, nil)
        precondition(failed == 0, "invariant: a process can have one more thread")
    }

    private func turn() {
        let waiting = state.withLock { $0.waiters }
        var entries = [pollfd(fd: wakeUp.read, events: Int16(POLLIN), revents: 0)]
        entries += waiting.map { pollfd(fd: $0.waiter.descriptor, events: $0.waiter.events, revents: 0) }
        let count = poll(&entries, nfds_t(entries.count), waiting.map(\.waiter.deadline.milliseconds).min() ?? -1)
        if entries[0].revents != 0 { Socket.drain(wakeUp.read) }
        for (entry, (number, waiter)) in zip(entries.dropFirst(), waiting) {
            let isReady = count > 0 && entry.revents != 0
            guard isReady || waiter.deadline.hasPassed else { continue }
            // Either this thread or the canceller takes the waiter from the list, and resumes it.
            let isOurs = state.withLock { state in
                guard let index = state.waiters.firstIndex(where: { $0.number == number }) else { return false }
                state.waiters.remove(at: index)
                return true
            }
            if isOurs { waiter.continuation.resume(returning: isReady ? .ready : .timedOut) }
        }
    }
}
