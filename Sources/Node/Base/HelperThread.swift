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

/// A thread of a node: detached, with signals blocked (another thread waits for them) and a sufficient stack. Some
/// systems give secondary threads only 512 KiB.
package final class DetachedThread: Sendable {
    private static let stackBytes = 8 << 20
    private let body: @Sendable () -> Void

    private init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    /// False if the system has no more threads.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        defer { attributes.deallocate() }
        pthread_attr_init(attributes)
        defer { pthread_attr_destroy(attributes) }
        pthread_attr_setstacksize(attributes, stackBytes)
        pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
        var (all, before) = (sigset_t(), sigset_t())
        sigfillset(&all)
        // A thread inherits the signal mask of the one that starts it.
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var thread = pthread_t()
        let context = Unmanaged.passRetained(DetachedThread(body))
        let status = pthread_create(
            &thread, attributes,
            { context in
                guard let context else { return nil }
                Unmanaged<DetachedThread>.fromOpaque(context).takeRetainedValue().body()
                return nil
            }, context.toOpaque())
        if status != 0 { context.release() }
        return status == 0
    }
}
