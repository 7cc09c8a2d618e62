#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The descriptors for a program to be started: its own, and this process's ends of the pipes.
struct SpawnStreams {
    /// The program's descriptors 0, 1 and 2; -1 for this process's own.
    private(set) var child: [Int32] = [-1, -1, -1]
    private(set) var parentInput: Int32 = -1
    private(set) var parentOutput: Int32 = -1
    private(set) var parentError: Int32 = -1

    mutating func open(_ command: Command) throws(HarnessError) {
        switch command.input {
        case .empty: child[0] = try Self.open("/dev/null", O_RDONLY)
        case .file(let path): child[0] = try Self.open(path, O_RDONLY)
        case .pipe: (child[0], parentInput) = try System.pipe()
        }
        (child[1], parentOutput) = try Self.open(command.output)
        (child[2], parentError) = try Self.open(command.errorOutput)
    }

    private static func open(_ output: Command.Output) throws(HarnessError) -> (child: Int32, parent: Int32) {
        switch output {
        case .discarded: return (try open("/dev/null", O_WRONLY), -1)
        case .file(let path): return (try open(path, O_WRONLY | O_CREAT | O_APPEND), -1)
        case .inherited: return (-1, -1)
        case .pipe:
            let ends = try System.pipe()
            return (ends.write, ends.read)
        }
    }

    private static func open(_ path: String, _ flags: Int32) throws(HarnessError) -> Int32 {
        #if canImport(Glibc)
            try System.check("open \(path)") { Glibc.open(path, flags | O_CLOEXEC, 0o600) }
        #else
            try System.check("open \(path)") { Darwin.open(path, flags | O_CLOEXEC, 0o600) }
        #endif
    }

    mutating func closeChildEnds() {
        for descriptor in child where descriptor >= 0 { close(descriptor) }
        child = [-1, -1, -1]
    }

    mutating func closeAll() {
        closeChildEnds()
        for descriptor in [parentInput, parentOutput, parentError] where descriptor >= 0 { close(descriptor) }
    }
}
