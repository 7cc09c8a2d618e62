import NodeCore

/// A page of worked examples as JSON: sections of names and texts, in the order in which they were added.
struct VectorPage {
    private var sections: [(name: String, entries: [String])] = []

    mutating func section(_ name: String) { sections.append((name, [])) }

    mutating func add(_ name: String, _ bytes: [UInt8]) { add(name, text: Hex.encode(bytes)) }

    mutating func add(_ name: String, _ secret: Secret) {
        add(name, secret.withUnsafeBytes { [UInt8]($0) })
    }

    /// - Parameter text: has nothing in it that JSON escapes.
    mutating func add(_ name: String, text: String) {
        sections[sections.count - 1].entries.append("    \"\(name)\": \"\(text)\"")
    }

    var text: String {
        let parts = sections.map { "  \"\($0.name)\": {\n" + $0.entries.joined(separator: ",\n") + "\n  }" }
        return "{\n" + parts.joined(separator: ",\n") + "\n}\n"
    }
}

/// Gives the bytes 0, 1, 2 and so on: nonces and keys that anybody can write down.
struct CountingRandom: RandomSource {
    private var byte: UInt8

    init(from byte: UInt8 = 0) { self.byte = byte }

    mutating func split() -> any RandomSource { self }

    mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        for place in buffer.indices {
            buffer[place] = byte
            byte &+= 1
        }
    }

    mutating func next() -> UInt64 { bytes(8).reduce(0) { $0 << 8 | UInt64($1) } }
}
