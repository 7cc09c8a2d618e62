/// A program to run: what it is called with, where its streams go, and what it may use.
package struct Command: Sendable {
    package enum Input: Sendable {
        case empty
        /// The caller writes, with `ChildProcess.write` and `closeInput`.
        case pipe
        case file(String)
    }

    package enum Output: Sendable {
        case discarded
        /// The caller reads, and has to: a program stops when its pipe is full.
        case pipe
        /// Appended to; created if it is not there.
        case file(String)
        case inherited
    }

    /// What the program may use, by setrlimit(2).
    package struct Limits: Sendable {
        /// Files that grow beyond this fail to be written (EFBIG; the signal SIGXFSZ is ignored for the program).
        package var fileSizeBytes: Int?
        package var openFiles: Int?
        package var addressSpaceBytes: Int?

        package init(fileSizeBytes: Int? = nil, openFiles: Int? = nil, addressSpaceBytes: Int? = nil) {
            self.fileSizeBytes = fileSizeBytes
            self.openFiles = openFiles
            self.addressSpaceBytes = addressSpaceBytes
        }
    }

    /// A path, or a name that is looked up in PATH.
    package var program: String
    package var arguments: [String]
    /// Set on top of this process's own environment; nil removes a name.
    package var environment: [String: String?] = [:]
    package var input = Input.empty
    package var output = Output.pipe
    package var errorOutput = Output.pipe
    package var limits = Limits()

    package init(_ program: String, _ arguments: [String] = []) {
        self.program = program
        self.arguments = arguments
    }

    /// Limits are set by a shell that then becomes the program: posix_spawn(3) has no way to set them, and setting
    /// them here for a moment would hit every thread of this process.
    var resolved: (program: String, arguments: [String]) {
        var prelude = ""
        // POSIX counts file sizes in blocks of 512 bytes, and addresses in KiB.
        if let bytes = limits.fileSizeBytes { prelude += "trap '' XFSZ; ulimit -f \(bytes / 512); " }
        if let files = limits.openFiles { prelude += "ulimit -n \(files); " }
        if let bytes = limits.addressSpaceBytes { prelude += "ulimit -v \(bytes / 1_024); " }
        guard !prelude.isEmpty else { return (program, arguments) }
        return ("/bin/sh", ["-c", prelude + "exec \"$0\" \"$@\"", program] + arguments)
    }
}
