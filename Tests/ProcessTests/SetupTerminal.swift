import NodeDriver
import ProcessHarness

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A program at a pseudo-terminal, with a user who types.
final class SetupTerminal {
    let process: ChildProcess
    private let descriptor: Int32
    /// Everything that was shown, with the echo of what was typed.
    private(set) var shown = ""
    private var read = 0

    /// - Parameter columns: its width; unknown to the program if nil.
    convenience init(
        _ node: DrivenNode, _ arguments: [String], environment: [String: String] = [:], columns: UInt16? = nil
    ) throws {
        var command = node.binary.command(home: node.home, arguments)
        for (key, value) in environment { command.environment[key] = value }
        try self.init(command, columns: columns)
    }

    init(_ command: Command, columns: UInt16? = nil) throws {
        // This does what grantpt(3), unlockpt(3) and ptsname(3) do, which Swift cannot call: TIOCSPTLCK and TIOCGPTN.
        descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        var (locked, number): (Int32, Int32) = (0, -1)
        guard descriptor >= 0, ioctl(descriptor, 0x4004_5431, &locked) == 0,
            ioctl(descriptor, 0x8004_5430, &number) == 0
        else { throw DriverError("there is no pseudo-terminal") }
        if let columns {
            var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
            guard ioctl(descriptor, UInt(TIOCSWINSZ), &size) == 0 else { throw DriverError("the size cannot be set") }
        }
        var command = command
        command.environment["SWIFT_BACKTRACE"] = "enable=no"
        let path = "/dev/pts/\(number)"
        (command.input, command.output, command.errorOutput) = (.file(path), .file(path), .file(path))
        process = try ChildProcess(command)
    }

    deinit { close(descriptor) }

    /// Waits until the text is shown, after what was awaited before.
    func expect(_ text: String, within duration: Duration = Deadline.patience) throws {
        let deadline = Deadline(after: duration)
        while true {
            let rest = shown.dropFirst(read)
            if let range = rest.firstRange(of: text) {
                read = shown.distance(from: shown.startIndex, to: range.upperBound)
                return
            }
            if deadline.hasPassed { throw DriverError("`\(text)` is not shown: \(shown)") }
            take()
            usleep(10_000)
        }
    }

    func take() {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        // The other end may be closed (EIO), or have nothing to say yet (EAGAIN).
        while case let count = Glibc.read(descriptor, &buffer, buffer.count), count > 0 {
            // A carriage return and a line feed that arrive separately would be one character later.
            shown += String(decoding: buffer[..<count].filter { $0 != 0x0D }, as: UTF8.self)
        }
    }

    /// Whether typed text is shown.
    var isEchoing: Bool {
        var settings = termios()
        return tcgetattr(descriptor, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
    }

    func type(_ line: String) { _ = (line + "\n").withCString { write(descriptor, $0, strlen($0)) } }

    func end(within duration: Duration = Deadline.patience) throws -> ProcessHarness.ExitStatus {
        let deadline = Deadline(after: duration)
        while process.isRunning, !deadline.hasPassed {
            take()
            usleep(10_000)
        }
        take()
        return try process.wait(within: .zero)
    }
}
