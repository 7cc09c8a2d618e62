#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What the demo shows: lines that stay, and below them, on a terminal, a block that is drawn over and over.
final class Display {
    private let isTerminal = isatty(1) == 1
    /// How many lines of the block stand on the screen.
    private var blockLines = 0
    private var lastPlain: [String] = []
    private var updates = 0

    /// A line that stays.
    func say(_ line: String) {
        settle()
        Self.write(line + "\n")
    }

    /// Draws the block anew. Where the output is no terminal, every twentieth change is told as a plain line.
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

    /// The block stays as it is; what follows goes below it.
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
