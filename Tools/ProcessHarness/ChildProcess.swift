#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A running program started by this process. It is killed, with its process group, when the object is released.
///
/// It has its own process group, an empty signal mask and default signals, whatever this process has. Its pid is
/// signalled only until it has been waited for, so that no other program can be hit. Used by one thread at a time.
package final class ChildProcess {
    package let pid: Int32
    /// For messages, as in `kachat-node run`.
    package let name: String
    /// The lines of its standard output and error, if these are pipes.
    package let output: LineReader?
    package let errorOutput: LineReader?
    private(set) var inputDescriptor: Int32
    /// Nil until it has been waited for.
    package private(set) var status: ExitStatus?

    /// Starts the program.
    /// - Throws: `HarnessError.system` if it cannot be started (not found, no permission, too many processes).
    package init(_ command: Command) throws(HarnessError) {
        var streams = SpawnStreams()
        do {
            try streams.open(command)
            pid = try Spawn.start(command, streams: streams)
        } catch {
            streams.closeAll()
            throw error
        }
        streams.closeChildEnds()
        name = command.name
        inputDescriptor = streams.parentInput
        output = streams.parentOutput < 0 ? nil : LineReader(descriptor: streams.parentOutput, name: command.name)
        errorOutput = streams.parentError < 0 ? nil : LineReader(descriptor: streams.parentError, name: command.name)
    }

    deinit {
        closeInput()
        guard status == nil else { return }
        kill(-pid, SIGKILL)
        var word: Int32 = 0
        while waitpid(pid, &word, 0) == -1 && errno == EINTR {}
        Cleanup.shared.remove(pid: pid)
    }

    var outputDescriptor: Int32 { output?.descriptor ?? -1 }
    var errorDescriptor: Int32 { errorOutput?.descriptor ?? -1 }

    /// True while it is running. If it has ended, this also waits for it.
    package var isRunning: Bool {
        reap()
        return status == nil
    }

    /// Sends a signal to the program only, unless it has ended.
    package func signal(_ number: Int32) {
        if isRunning { kill(pid, number) }
    }

    /// SIGKILL: the program cannot write anything more.
    package func killNow() { signal(SIGKILL) }

    /// SIGTERM: the program is asked to end.
    package func terminate() { signal(SIGTERM) }

    /// Kills the program and everything in its process group.
    package func killGroup() {
        if isRunning { kill(-pid, SIGKILL) }
    }

    /// Waits for the program's end.
    /// - Throws: `HarnessError.timedOut` if it is still running at the deadline; it then keeps running.
    @discardableResult
    package func wait(until deadline: Deadline) throws(HarnessError) -> ExitStatus {
        // waitpid has no time-out, and SIGCHLD belongs to the whole process.
        var pauseMicroseconds: UInt32 = 200
        while true {
            reap()
            if let status { return status }
            if deadline.hasPassed { throw HarnessError.timedOut(waitingFor: "`\(name)` to end") }
            usleep(pauseMicroseconds)
            pauseMicroseconds = min(pauseMicroseconds * 2, 10_000)
        }
    }

    @discardableResult
    package func wait(within duration: Duration = Deadline.patience) throws(HarnessError) -> ExitStatus {
        try wait(until: Deadline(after: duration))
    }

    /// Terminates the program, and kills it if it has not ended in time.
    @discardableResult
    package func stop(within duration: Duration = Deadline.patience) -> ExitStatus? {
        terminate()
        if (try? wait(within: duration)) == nil {
            killGroup()
            _ = try? wait(within: .seconds(10))
        }
        return status
    }

    /// Writes all of the text to its standard input; false if the program no longer reads.
    @discardableResult
    package func write(_ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = writeSome(rest)
            if count < 0 { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    package func closeInput() {
        guard inputDescriptor >= 0 else { return }
        close(inputDescriptor)
        inputDescriptor = -1
    }

    /// Returns the number of bytes written, or -1.
    func writeSome(_ bytes: ArraySlice<UInt8>) -> Int {
        Cleanup.ignoreBrokenPipes()
        #if canImport(Glibc)
            return bytes.withUnsafeBytes { Glibc.write(inputDescriptor, $0.baseAddress, $0.count) }
        #else
            return bytes.withUnsafeBytes { Darwin.write(inputDescriptor, $0.baseAddress, $0.count) }
        #endif
    }

    private func reap() {
        guard status == nil else { return }
        var word: Int32 = 0
        guard waitpid(pid, &word, WNOHANG) == pid else { return }
        status = ExitStatus(waitStatus: word)
        Cleanup.shared.remove(pid: pid)
    }
}
