import Node

/// An input that is one document, in as many lines as it likes.
struct WholeInput {
    private var bytes: [UInt8] = []

    /// All of it; nil while more is to come.
    ///
    /// - Parameter what: how a complaint names it, such as "the message".
    package mutating func take(_ input: inout InputLines, _ what: String) throws(NodeError) -> [UInt8]? {
        while let line = input.next() {
            guard case .line(let part) = line,
                bytes.count + part.count < Limits.inputLineBytes
            else { throw NodeError(.badInput, "\(what) is longer than 1 MiB") }
            bytes += part + [0x0A]
        }
        return input.isEnded ? bytes : nil
    }
}
