#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A Swift source split into code and comments, line by line, each at its own columns.
///
/// The contents of string literals are in neither (their quotes stay in the code), except for interpolated
/// expressions, which are code. That is all the rules need; it is no parser, and regex literals are taken as code.
///
/// It searches with memchr(3) and strcspn(3): unoptimised loops over the bytes of all files take ten seconds.
struct LexedText {
    private(set) var code: [String]
    private(set) var comments: [String]

    init(_ text: String) {
        var scanner = Scanner(text)
        scanner.run()
        code = Self.lines(scanner.code)
        comments = Self.lines(scanner.comments)
    }

    /// The lines of a text, without their ends.
    static func lines(_ bytes: [UInt8]) -> [String] {
        bytes.withUnsafeBytes { bytes in
            var lines: [String] = []
            var start = 0
            while start < bytes.count, let base = bytes.baseAddress,
                let end = memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
            {
                let next = UnsafeRawPointer(end) - base
                lines.append(String(decoding: UnsafeRawBufferPointer(rebasing: bytes[start..<next]), as: UTF8.self))
                start = next + 1
            }
            return lines + [String(decoding: UnsafeRawBufferPointer(rebasing: bytes[start...]), as: UTF8.self)]
        }
    }
}

extension LexedText {
    /// Walks over the bytes once. Both outputs are as long as the source, with spaces where the other has text.
    private struct Scanner {
        /// The construct around the position. A code level is an interpolation, or the file itself.
        enum Level {
            case code(openParentheses: Int)
            case string(hashes: Int, quotes: Int)
        }

        /// Ends with a zero, at `count`.
        let source: [UInt8]
        let count: Int
        var code: [UInt8]
        var comments: [UInt8]
        var position = 0
        var levels: [Level] = [.code(openParentheses: 0)]

        init(_ text: String) {
            source = Array(text.utf8) + [0]
            count = source.count - 1
            code = [UInt8](repeating: UInt8(ascii: " "), count: count)
            comments = code
        }

        mutating func run() {
            while position < count {
                switch levels.last {
                case .string(let hashes, let quotes): string(hashes: hashes, quotes: quotes)
                case .code(let open): code(open: open)
                case nil: return
                }
            }
        }

        private mutating func code(open: Int) {
            take(bytes(before: "\n/\"#()"), into: \.code)
            guard position < count else { return }
            switch source[position] {
            case UInt8(ascii: "\n"): newline()
            case UInt8(ascii: "/") where source[position + 1] == UInt8(ascii: "/"):
                take(bytes(before: "\n"), into: \.comments)
            case UInt8(ascii: "/") where source[position + 1] == UInt8(ascii: "*"): blockComment()
            case UInt8(ascii: "("):
                levels[levels.count - 1] = .code(openParentheses: open + 1)
                take(1, into: \.code)
            case UInt8(ascii: ")"):
                if open == 0 && levels.count > 1 {
                    levels.removeLast()  // the interpolation ends, its string goes on
                } else {
                    levels[levels.count - 1] = .code(openParentheses: max(open - 1, 0))
                }
                take(1, into: \.code)
            default:
                guard let (hashes, quotes) = openingQuote() else { return take(1, into: \.code) }
                take(hashes + quotes, into: \.code)
                levels.append(.string(hashes: hashes, quotes: quotes))
            }
        }

        private mutating func blockComment() {
            var depth = 0
            repeat {
                if starts("/*") {
                    depth += 1
                    take(2, into: \.comments)
                } else if starts("*/") {
                    depth -= 1
                    take(2, into: \.comments)
                } else if source[position] == UInt8(ascii: "\n") {
                    newline()
                } else {
                    take(1, into: \.comments)
                }
            } while depth > 0 && position < count
        }

        private mutating func string(hashes: Int, quotes: Int) {
            position += bytes(before: "\n\\\"")
            guard position < count else { return }
            let fence = String(repeating: "#", count: hashes)
            if source[position] == UInt8(ascii: "\n") {
                // An unclosed one-line string is not valid Swift; giving up on it limits the damage to its line.
                if quotes == 1 { levels.removeLast() }
                newline()
            } else if starts("\\" + fence + "(") {
                position += hashes + 1
                take(1, into: \.code)
                levels.append(.code(openParentheses: 0))
            } else if starts("\\" + fence) {
                position += hashes + 1
                if source[position] != UInt8(ascii: "\n") { position += 1 }
            } else if starts(String(repeating: "\"", count: quotes) + fence) {
                take(hashes + quotes, into: \.code)
                levels.removeLast()
            } else {
                position += 1
            }
        }

        /// The number of `#` and quotes that open a string here, if one starts here.
        private func openingQuote() -> (hashes: Int, quotes: Int)? {
            var end = position
            while source[end] == UInt8(ascii: "#") { end += 1 }
            guard source[end] == UInt8(ascii: "\"") else { return nil }
            let isMultiline = source[end + 1] == UInt8(ascii: "\"") && source[end + 2] == UInt8(ascii: "\"")
            return (end - position, isMultiline ? 3 : 1)
        }

        private func starts(_ text: String) -> Bool {
            here { strncmp($0, text, text.utf8.count) == 0 }
        }

        /// The number of bytes before the next of these.
        private func bytes(before ends: String) -> Int {
            here { strcspn($0, ends) }
        }

        /// Calls `body` with the text that begins at the position.
        private func here<T>(_ body: (UnsafePointer<CChar>) -> T) -> T {
            source.withUnsafeBytes { source in
                // invariant: it is not empty, it ends with a zero.
                body(source.baseAddress!.assumingMemoryBound(to: CChar.self) + position)
            }
        }

        private mutating func take(_ taken: Int, into output: WritableKeyPath<Scanner, [UInt8]>) {
            let (source, range) = (source, position..<position + taken)
            self[keyPath: output].withUnsafeMutableBytes { output in
                source.withUnsafeBytes { source in
                    UnsafeMutableRawBufferPointer(rebasing: output[range])
                        .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[range]))
                }
            }
            position += taken
        }

        private mutating func newline() {
            for output in [\Scanner.code, \.comments] { self[keyPath: output][position] = source[position] }
            position += 1
        }
    }
}
