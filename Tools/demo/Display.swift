#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The demo's output: permanent lines, and below them, on a terminal, a block that is redrawn.
final class Display {
    private let isTerminal = isatty(1) == 1
    /// Number of lines of the block on the screen.
    private var blockLines = 0
    private var lastPlain: [String] = []
    private var updates = 0

    /// Prints a permanent line.
    func say(_ line: String) {
        settle()
        Self.write(line + "\n")
    }

    /// Redraws the block. If the output is not a terminal, every twentieth change is printed as a plain line.
    func update(_ lines: [String]) {
        guard isTerminal else {
            updates += 1
            if updates % 20 == 0 && lines != lastPlain {
                lastPlain = lines
                Self.write(lines.map { "  " + $0 + "\n" }.joined())
            }
            return
        }
        var text = blockLines > 0 ? "\u{1B}[\(blockLines)A" : ""
        for line in lines { text += "\r\u{1B}[K  \(line.prefix(78))\n" }
        Self.write(text)
        blockLines = lines.count
    }

    /// Keeps the block as it is; further output goes below it.
    func settle() {
        blockLines = 0
        updates = 0
    }

    static func write(_ text: String, to descriptor: Int32 = 1) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            #if canImport(Glibc)
                let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            #else
                let count = rest.withUnsafeBytes { Darwin.write(descriptor, $0.baseAddress, $0.count) }
            #endif
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return }
        }
    }
}
