#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The result of a program that has ended.
package struct CommandResult: Sendable {
    package var status: ExitStatus
    package var output: String
    package var errorOutput: String

    /// The lines of its standard output, without the empty last one.
    package var lines: [Substring] { output.split(separator: "\n") }
}

extension Command {
    /// Runs the program to its end, collecting its standard output and error.
    ///
    /// A program still running at the deadline is killed, and the error says so.
    package func run(
        input text: String? = nil, within duration: Duration = Deadline.patience
    ) throws(HarnessError) -> CommandResult {
        let deadline = Deadline(after: duration)
        var command = self
        command.output = .pipe
        command.errorOutput = .pipe
        if text != nil { command.input = .pipe }
        let child = try ChildProcess(command)
        var pending = Array((text ?? "").utf8)[...]
        if text != nil && pending.isEmpty { child.closeInput() }
        var output = StreamCollector(descriptor: child.outputDescriptor)
        var errorOutput = StreamCollector(descriptor: child.errorDescriptor)

        // All three streams at once: a program may fill one while it waits for another.
        while output.isOpen || errorOutput.isOpen {
            var entries = [
                pollfd(fd: output.pollDescriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: errorOutput.pollDescriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: pending.isEmpty ? -1 : child.inputDescriptor, events: Int16(POLLOUT), revents: 0),
            ]
            let ready = try System.check("poll") {
                poll(&entries, nfds_t(entries.count), deadline.remainingMilliseconds)
            }
            if ready == 0 && deadline.hasPassed {
                child.killGroup()
                throw HarnessError.timedOut(waitingFor: "`\(name)` to end")
            }
            if entries[0].revents != 0 { try output.readSome() }
            if entries[1].revents != 0 { try errorOutput.readSome() }
            if entries[2].revents != 0 {
                // A pipe that is ready accepts at least PIPE_BUF bytes without blocking.
                let count = child.writeSome(pending.prefix(512))
                pending = count < 0 ? [] : pending.dropFirst(count)
                if pending.isEmpty { child.closeInput() }
            }
        }
        let status = try child.wait(until: deadline)
        return CommandResult(status: status, output: output.text, errorOutput: errorOutput.text)
    }

    /// For messages: the program's name and its first argument that is not an option.
    var name: String {
        let base = program.split(separator: "/").last.map(String.init) ?? program
        return ([base] + arguments.filter { !$0.hasPrefix("-") && !$0.contains("/") }.prefix(2)).joined(separator: " ")
    }
}

/// One output stream, read until its end.
private struct StreamCollector {
    let descriptor: Int32
    private(set) var isOpen = true
    private var bytes: [UInt8] = []

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// poll(2) ignores negative descriptors.
    var pollDescriptor: Int32 { isOpen ? descriptor : -1 }
    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func readSome() throws(HarnessError) {
        let some = try System.readSome(descriptor)
        if some.isEmpty { isOpen = false }
        bytes += some
    }
}
