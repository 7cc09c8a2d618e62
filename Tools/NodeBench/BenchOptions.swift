/// The arguments of `bench`, in the parent and in its workers.
struct BenchOptions {
    enum Role: String {
        /// Only holds data and accepts more.
        case holder
        /// Pushes messages once it has everything.
        case writer
        /// Notes when the pushed messages become visible.
        case reader
    }

    /// The positional arguments.
    var words: [String] = []
    var isJSON = false
    var records = 40_000
    var repetitions = 25
    var runs = 3
    var pushes = 0
    var idleSeconds = 60
    var seed: UInt64 = 1
    var from = 0
    var messages = 0
    var lanes = 8
    var members = 500
    var chat: String?
    var home: String?
    var newest: String?
    var discovery = "off"
    var role = Role.holder
    /// Complete only when the peers have everything, too.
    var waitsForPeer = false
    var portIfGiven: UInt16?
    var isOfMessages = false

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--json": isJSON = true
            case "--wait": waitsForPeer = true
            case "--messages": isOfMessages = true
            case _ where argument.hasPrefix("--"):
                guard let value = rest.popFirst() else { throw BenchError("\(argument) needs a value") }
                try set(argument, value)
            default: words.append(argument)
            }
        }
    }

    private mutating func set(_ name: String, _ value: String) throws {
        switch name {
        case "--chat": chat = value
        case "--home": home = value
        case "--newest": newest = value
        case "--discovery": discovery = value
        case "--role": role = Role(rawValue: value) ?? .holder
        default:
            guard let number = Int(value), number >= 0 else { throw BenchError("\(name) needs a number, not \(value)") }
            try set(name, number)
        }
    }

    private mutating func set(_ name: String, _ number: Int) throws {
        switch name {
        case "--records": records = number
        case "--repeat": repetitions = max(number, 1)
        case "--runs": runs = max(number, 1)
        case "--pushes": pushes = number
        case "--idle-seconds": idleSeconds = number
        case "--seed": seed = UInt64(number)
        case "--from": from = number
        case "--expect": messages = number
        case "--lanes": lanes = max(1, min(number, 64))
        case "--members": members = max(2, min(number, 2_000))
        case "--port": portIfGiven = UInt16(exactly: number)
        default: throw BenchError("unknown option \(name)")
        }
    }

    /// The home folder of a worker.
    var folder: String {
        get throws {
            guard let home else { throw BenchError("--home is missing") }
            return home
        }
    }

    var port: UInt16 {
        get throws {
            guard let portIfGiven else { throw BenchError("--port is missing") }
            return portIfGiven
        }
    }
}

/// The reason that a measurement could not be made.
struct BenchError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
