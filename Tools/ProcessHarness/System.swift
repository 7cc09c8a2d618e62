import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The system calls of the harness, each retried when interrupted by a signal.
enum System {
    static func check<Result: FixedWidthInteger & SignedInteger>(
        _ call: String, _ body: () -> Result
    ) throws(HarnessError) -> Result {
        while true {
            let result = body()
            if result != -1 { return result }
            if errno != EINTR { throw HarnessError.system(call: call, reason: errorText(errno)) }
        }
    }

    static func errorText(_ number: Int32) -> String {
        String(cString: strerror(number))
    }

    /// Waits until the descriptor is ready for `events`, or the deadline has passed (false).
    static func waitReady(_ descriptor: Int32, events: Int32, until deadline: Deadline) throws(HarnessError) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        repeat {
            let ready = try check("poll") { poll(&entry, 1, deadline.remainingMilliseconds) }
            if ready > 0 { return true }
        } while !deadline.hasPassed
        return false
    }

    /// Reads available data, at most 64 KiB; empty at the end of the stream.
    static func readSome(_ descriptor: Int32) throws(HarnessError) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = try check("read") { read(descriptor, &buffer, buffer.count) }
        buffer.removeLast(buffer.count - count)
        return buffer
    }

    /// Held from the creation of a pipe until its ends are marked, and while a program is started: Glibc's module has
    /// no pipe2(2), and another thread's program must not inherit an end (its reader would never see the stream's end).
    static let spawning = Mutex(())

    /// Two ends that no program inherits unless they are passed to it.
    static func pipe() throws(HarnessError) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        let result = spawning.withLock { _ in
            #if canImport(Glibc)
                let result = Glibc.pipe(&ends)
            #else
                let result = Darwin.pipe(&ends)
            #endif
            for end in ends where end >= 0 { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return result
        }
        if result != 0 { throw HarnessError.system(call: "pipe", reason: errorText(errno)) }
        return (ends[0], ends[1])
    }
}
