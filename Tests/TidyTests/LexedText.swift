/// A Swift source taken apart: what is code and what is comment, line by line, each at its own columns.
///
/// The contents of string literals are in neither (their quotes stay in the code), except for interpolated
/// expressions, which are code. That is all the rules need; it is no parser, and regex literals are taken as code.
struct LexedText {
    private(set) var code: [String]
    private(set) var comments: [String]

    init(_ text: String) {
        var scanner = Scanner(source: Array(text.utf8))
        scanner.run()
        code = Self.lines(scanner.code)
        comments = Self.lines(scanner.comments)
    }

    private static func lines(_ bytes: [UInt8]) -> [String] {
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }
}

extension LexedText {
    /// Walks over the bytes once. Both outputs are as long as the source, with spaces where the other one has text.
    private struct Scanner {
        /// What the position is inside of. A code level is an interpolation, or the file itself.
        enum Level {
            case code(openParentheses: Int)
            case string(hashes: Int, quotes: Int)
        }

        let source: [UInt8]
        var code: [UInt8]
        var comments: [UInt8]
        var position = 0
        var levels: [Level] = [.code(openParentheses: 0)]

        init(source: [UInt8]) {
            self.source = source
            let blank = source.map { $0 == UInt8(ascii: "\n") ? $0 : UInt8(ascii: " ") }
            code = blank
            comments = blank
        }

        mutating func run() {
            while position < source.count {
                switch levels.last {
                case .string(let hashes, let quotes): string(hashes: hashes, quotes: quotes)
                case .code(let open): codeByte(open: open)
                case nil: return
                }
            }
        }

        private mutating func codeByte(open: Int) {
            if starts("//") {
                while position < source.count, source[position] != UInt8(ascii: "\n") { take(into: \.comments) }
            } else if starts("/*") {
                blockComment()
            } else if let (hashes, quotes) = openingQuote() {
                for _ in 0..<(hashes + quotes) { take(into: \.code) }
                levels.append(.string(hashes: hashes, quotes: quotes))
            } else {
                var depth = open
                if source[position] == UInt8(ascii: "(") { depth += 1 }
                if source[position] == UInt8(ascii: ")") { depth -= 1 }
                if depth < 0 && levels.count > 1 {
                    levels.removeLast()  // the interpolation ends, its string goes on
                } else {
                    levels[levels.count - 1] = .code(openParentheses: max(depth, 0))
                }
                take(into: \.code)
            }
        }

        private mutating func blockComment() {
            var depth = 0
            repeat {
                if starts("/*") {
                    depth += 1
                    take(into: \.comments)
                } else if starts("*/") {
                    depth -= 1
                    take(into: \.comments)
                }
                if position < source.count { take(into: \.comments) }
            } while depth > 0 && position < source.count
        }

        private mutating func string(hashes: Int, quotes: Int) {
            let fence = String(repeating: "#", count: hashes)
            if starts("\\" + fence + "(") {
                position += hashes + 1
                take(into: \.code)
                levels.append(.code(openParentheses: 0))
            } else if starts("\\" + fence) {
                position += hashes + 2
            } else if starts(String(repeating: "\"", count: quotes) + fence) {
                for _ in 0..<(hashes + quotes) { take(into: \.code) }
                levels.removeLast()
            } else {
                // A one-line string that is not closed is no Swift; giving up on it limits the damage to its line.
                if quotes == 1 && source[position] == UInt8(ascii: "\n") { levels.removeLast() }
                position += 1
            }
        }

        /// How many `#` and quotes open a string here, if one starts here.
        private func openingQuote() -> (hashes: Int, quotes: Int)? {
            var end = position
            while end < source.count, source[end] == UInt8(ascii: "#") { end += 1 }
            let hashes = end - position
            guard end < source.count, source[end] == UInt8(ascii: "\"") else { return nil }
            let isMultiline = source[end...].prefix(3).elementsEqual("\"\"\"".utf8)
            return (hashes, isMultiline ? 3 : 1)
        }

        private func starts(_ text: String) -> Bool {
            source[position...].starts(with: text.utf8)
        }

        private mutating func take(into output: WritableKeyPath<Scanner, [UInt8]>) {
            self[keyPath: output][position] = source[position]
            position += 1
        }
    }
}
