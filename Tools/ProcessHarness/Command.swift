/// A program to run: its arguments, streams, and resource limits.
package struct Command: Sendable {
    package enum Input: Sendable {
        case empty
        /// The caller writes, with `ChildProcess.write` and `closeInput`.
        case pipe
        case file(String)
    }

    package enum Output: Sendable {
        case discarded
        /// The caller reads, and must: a program stops when its pipe is full.
        case pipe
        /// Appended to; created if missing.
        case file(String)
        case inherited
    }

    /// The program's resource limits, by setrlimit(2).
    package struct Limits: Sendable {
        /// Writing files beyond this size fails (EFBIG; the program ignores the signal SIGXFSZ).
        package var fileSizeBytes: Int?
        package var openFiles: Int?
        /// Memory of its own, so that malloc fails beyond it: heap, anonymous maps and stacks. Pages of files, which
        /// the system can drop and read again, do not count.
        package var dataBytes: Int?

        package init(fileSizeBytes: Int? = nil, openFiles: Int? = nil, dataBytes: Int? = nil) {
            self.fileSizeBytes = fileSizeBytes
            self.openFiles = openFiles
            self.dataBytes = dataBytes
        }
    }

    /// A path, or a name that is looked up in PATH.
    package var program: String
    package var arguments: [String]
    /// Added to this process's own environment; nil removes a name.
    package var environment: [String: String?] = [:]
    package var input = Input.empty
    package var output = Output.pipe
    package var errorOutput = Output.pipe
    package var limits = Limits()

    package init(_ program: String, _ arguments: [String] = []) {
        self.program = program
        self.arguments = arguments
    }

    /// A shell sets the limits and then becomes the program: posix_spawn(3) cannot set them, and setting them here for
    /// a moment would affect every thread of this process.
    var resolved: (program: String, arguments: [String]) {
        var prelude = ""
        // POSIX specifies file sizes in blocks of 512 bytes; memory is in KiB.
        if let bytes = limits.fileSizeBytes { prelude += "trap '' XFSZ; ulimit -f \(bytes / 512); " }
        if let files = limits.openFiles { prelude += "ulimit -n \(files); " }
        if let bytes = limits.dataBytes { prelude += "ulimit -d \(bytes / 1_024); " }
        guard !prelude.isEmpty else { return (program, arguments) }
        return ("/bin/sh", ["-c", prelude + "exec \"$0\" \"$@\"", program] + arguments)
    }
}
