import NodeDriver

/// The demo's arguments.
struct DemoArguments {
    static let usage = """
        usage: demo [--node PROGRAM] [--chat FILE.jsonl] [--messages N] [--conversations N] [--seed N]

          --node PROGRAM      the kachat-node to show; default: the one built with this demo
          --chat FILE.jsonl   your own chat history, as `kachat-node export` writes it; where its lines
                              name no "device", they are dealt out to three nodes
          --messages N        generated talk: how much; default 40000
          --conversations N   generated talk: over how many conversations; default 1212
          --seed N            generated talk: another seed makes other talk
        """

    private static let names = ["--node", "--chat", "--messages", "--conversations", "--seed"]

    var node: String?
    var chat: String?
    var messages = 40_000
    var conversations: Int?
    var seed: UInt64 = 1

    init(_ arguments: [String]) throws(DriverError) {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            guard Self.names.contains(name) else { throw DriverError("unknown argument \(name)\n\(Self.usage)") }
            guard let value = rest.popFirst() else { throw DriverError("\(name) needs a value\n\(Self.usage)") }
            switch name {
            case "--node": node = value
            case "--chat": chat = value
            case "--messages": messages = try Self.number(value, of: name, in: 10...1_000_000)
            case "--conversations": conversations = try Self.number(value, of: name, in: 1...100_000)
            default: seed = UInt64(try Self.number(value, of: name, in: 0...Int.max))
            }
        }
        if let conversations, conversations > messages {
            throw DriverError("--conversations: each needs a message, so at most \(messages)")
        }
    }

    private static func number(_ text: String, of name: String, in range: ClosedRange<Int>) throws(DriverError) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw DriverError("\(name): a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
