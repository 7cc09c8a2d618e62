import Node
import NodeCore

/// A parameter of a command with the type of its value: `call[limit]` is a number.
struct Parameter<Value: Sendable>: AnyParameter {
    var spec: ParameterSpec
    /// Reads texts that `spec` allows.
    let read: @Sendable ([String]) -> Value?

    init(_ spec: ParameterSpec, read: @escaping @Sendable ([String]) -> Value?) {
        self.spec = spec
        self.read = read
    }

    var required: Parameter { with { $0.isRequired = true } }
    var optional: Parameter { with { $0.isRequired = false } }
    /// The command line has no option for it.
    var onlyRequested: Parameter { with { $0.isOnlyRequested = true } }

    /// The option as the command's object, known by its place.
    func placed(_ word: String) -> Parameter { with { $0 = $0.placed(word) } }

    /// The parameter with this name in requests.
    func named(_ field: String) -> Parameter { with { $0.field = field } }

    /// The parameter with a form, default or help that requests have and the command line does not.
    func requested(_ form: ParameterSpec.RequestForm? = nil, standard: String? = nil, help: String? = nil) -> Parameter
    {
        with {
            $0.request = form ?? $0.request
            $0.standard = standard ?? $0.standard
            $0.help = help ?? $0.help
        }
    }

    private func with(_ change: (inout ParameterSpec) -> Void) -> Parameter {
        var copy = self
        change(&copy.spec)
        return copy
    }
}

protocol AnyParameter: Sendable {
    var spec: ParameterSpec { get }
}

extension ParameterSpec: AnyParameter {
    var spec: ParameterSpec { self }
}

/// The value of a switch.
struct Given: Sendable {}

extension Parameter where Value == Given {
    static func flag(_ name: String, _ help: String) -> Parameter {
        Parameter(ParameterSpec(name, help: help)) { _ in Given() }
    }
}

extension Parameter where Value == String {
    static func text(_ name: String, _ kind: ValueKind, _ help: String = "") -> Parameter {
        Parameter(ParameterSpec(name, kind, help: help)) { $0.first }
    }

    static func choice(_ name: String, _ word: String, _ words: [String], _ help: String = "") -> Parameter {
        text(name, .choice(word, words), help)
    }
}

extension Parameter where Value == [String] {
    static func texts(_ name: String, _ kind: ValueKind, _ help: String = "") -> Parameter {
        Parameter(ParameterSpec(name, kind, repeatable: true, help: help)) { $0 }
    }
}

extension Parameter where Value == Int {
    static func number(_ name: String, _ word: String, _ range: ClosedRange<UInt64>, _ help: String = "") -> Parameter {
        number(name, .number(word, range), help)
    }

    /// A value of another kind that is written as a whole number.
    static func number(_ name: String, _ kind: ValueKind, _ help: String = "") -> Parameter {
        Parameter(ParameterSpec(name, kind, help: help)) { $0.first.flatMap { Int($0) } }
    }
}

extension Parameter where Value == Duration {
    static func seconds(_ name: String, upTo most: Int, _ help: String) -> Parameter {
        Parameter(ParameterSpec(name, .seconds(upTo: UInt64(most)), help: help)) {
            $0.first.flatMap(Node.milliseconds).map { .milliseconds($0) }
        }
    }
}

extension Parameter where Value == Bool {
    /// `on` or `off`; in requests true or false.
    static func onOff(_ name: String, _ help: String) -> Parameter {
        Parameter(ParameterSpec(name, .choice("on|off", ["on", "off"]), help: help)) { $0.first.map { $0 == "on" } }
    }
}

extension Parameter where Value == TxID {
    static func txid(_ name: String, _ help: String = "") -> Parameter {
        Parameter(ParameterSpec(name, .txid, help: help)) { $0.first.flatMap { TxID(hex: $0) } }
    }
}

extension Parameter where Value == Day {
    static func day(_ name: String, _ help: String) -> Parameter {
        Parameter(ParameterSpec(name, .day, help: help)) { $0.first.flatMap { Day(text: $0) } }
    }
}
