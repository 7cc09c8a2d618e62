import Glibc
import NodeCore

/// A thread that does half of a piece of work. It uses only what it is given.
package final class HelperThread: PairWorker, @unchecked Sendable {
    // Sendable because the semaphores pass `job` back and forth: it is written before `begin` and read before `end`.
    private let begin: UnsafeMutablePointer<sem_t>
    private let end: UnsafeMutablePointer<sem_t>
    private var job: (@Sendable () -> Void)?
    /// Shared by all nodes of the process.
    private let isTaken = Lock(false)

    /// The thread lives as long as the process: one is created on first use.
    package static let shared: HelperThread? = sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1 ? HelperThread() : nil

    private init?() {
        begin = .allocate(capacity: 1)
        end = .allocate(capacity: 1)
        sem_init(begin, 0, 0)
        sem_init(end, 0, 0)
        guard DetachedThread.start({ [self] in work() }) else { return nil }
    }

    private func work() {
        while true {
            wait(begin)
            job?()
            job = nil
            sem_post(end)
        }
    }

    private func wait(_ semaphore: UnsafeMutablePointer<sem_t>) {
        while sem_wait(semaphore) != 0 && errno == EINTR {}
    }

    package func run(_ one: () -> Void, and other: @Sendable () -> Void) {
        let isFree = isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
        guard isFree else {
            one()
            return other()
        }
        defer { isTaken.withLock { $0 = false } }
        withoutActuallyEscaping(other) { other in
            job = other
            sem_post(begin)
            one()
            wait(end)
        }
    }
}
