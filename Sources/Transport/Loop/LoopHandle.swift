import CLinuxShim
import Glibc
import NodeCore

/// An `EventLoop` as other threads may use it: to wake it and give it work.
package final class LoopHandle: Sendable {
    private struct Mailbox: Sendable {
        var jobs: [@Sendable () -> Void] = []
        var isOpen = true
    }

    let descriptor: Int32
    private let mailbox = Lock(Mailbox())

    init() throws(SystemError) {
        descriptor = try System.call("eventfd") { eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) }
    }

    deinit {
        System.close(descriptor)
    }

    /// Makes the loop take a turn soon. Called on its own thread, it causes another turn right after the current one.
    package func wake() {
        // The counter cannot overflow within one turn; a full one would wake the loop just as well.
        _ = eventfd_write(descriptor, 1)
    }

    /// Runs `job` on the loop's thread before the end of a turn. Returns false if the loop has ended: the job is
    /// dropped.
    @discardableResult
    package func submit(_ job: @escaping @Sendable () -> Void) -> Bool {
        let isOpen = mailbox.withLock { mailbox in
            if mailbox.isOpen { mailbox.jobs.append(job) }
            return mailbox.isOpen
        }
        if isOpen { wake() }
        return isOpen
    }

    func takeJobs() -> [@Sendable () -> Void] {
        var count: eventfd_t = 0
        _ = eventfd_read(descriptor, &count)
        return mailbox.withLock { mailbox in
            defer { mailbox.jobs = [] }
            return mailbox.jobs
        }
    }

    /// Makes `submit` refuse from now on and returns the jobs that are still queued.
    func close() -> [@Sendable () -> Void] {
        mailbox.withLock { mailbox in
            mailbox.isOpen = false
            defer { mailbox.jobs = [] }
            return mailbox.jobs
        }
    }
}
