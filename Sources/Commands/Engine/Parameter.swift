import Node
import NodeCore

/// A parameter of a command, with the type of its value: `call[limit]` is a number.
struct Parameter<Value: Sendable>: AnyParameter {
    var spec: ParameterSpec
    /// Of texts that `spec` allows.
    let read: @Sendable ([String]) -> Value?

    init(_ spec: ParameterSpec, read: @escaping @Sendable ([String]) -> Value?) {
        self.spec = spec
        self.read = read
    }

    /// It has to be given.
    var required: Parameter { with { $0.isRequired = true } }

    /// It need not be given.
    var optional: Parameter { with { $0.isRequired = false } }

    /// The command line has no option for it.
    var onlyRequested: Parameter { with { $0.isOnlyRequested = true } }

    /// Requests call it so; the command line by its option.
    func named(_ field: String) -> Parameter { with { $0.field = field } }

    /// What requests may say, where it is not what the command line may say.
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

/// The value of a switch: it is given, or there is none.
struct Given: Sendable {}

extension Parameter where Value == Given {
    static func flag(_ name: String, _ help: String) -> Parameter {
        Parameter(ParameterSpec(name, help: help)) { _ in Given() }
    }
}

extension Parameter where Value == String {
    static func text(_ name: String, _ kind: ValueKind, _ help: String = "") -> Parameter {
        Parameter(.any(name, kind, help)) { $0.first }
    }

    static func choice(_ name: String, _ word: String, _ words: [String], _ help: String = "") -> Parameter {
        text(name, .choice(word, words), help)
    }
}

extension Parameter where Value == [String] {
    static func texts(_ name: String, _ kind: ValueKind, _ help: String = "") -> Parameter {
        var spec = ParameterSpec(name, kind, required: false, repeatable: true)
        spec.help = help
        return Parameter(spec) { $0 }
    }
}

extension Parameter where Value == Int {
    static func number(_ name: String, _ word: String, _ range: ClosedRange<UInt64>, _ help: String = "") -> Parameter {
        Parameter(.any(name, .number(word, range), help)) { $0.first.flatMap { Int($0) } }
    }

    /// Of another kind that is written as a whole number.
    static func number(_ name: String, _ kind: ValueKind, _ help: String = "") -> Parameter {
        Parameter(.any(name, kind, help)) { $0.first.flatMap { Int($0) } }
    }
}

extension Parameter where Value == Duration {
    static func seconds(_ name: String, upTo most: Int, _ help: String) -> Parameter {
        Parameter(.any(name, .seconds(upTo: UInt64(most)), help)) {
            $0.first.flatMap(Node.milliseconds).map { .milliseconds($0) }
        }
    }
}

extension Parameter where Value == Bool {
    /// `on` or `off`; in requests true or false.
    static func onOff(_ name: String, _ help: String) -> Parameter {
        Parameter(.any(name, .choice("on|off", ["on", "off"]), help)) { $0.first.map { $0 == "on" } }
    }
}

extension Parameter where Value == TxID {
    static func txid(_ name: String, _ help: String = "") -> Parameter {
        Parameter(.any(name, .txid, help)) { $0.first.flatMap { TxID(hex: $0) } }
    }
}

extension Parameter where Value == CivilDay {
    static func day(_ name: String, _ help: String) -> Parameter {
        Parameter(.any(name, .day, help)) { $0.first.flatMap { CivilDay($0) } }
    }
}

extension ParameterSpec {
    /// An option, or a place, which has to be given.
    fileprivate static func any(_ name: String, _ kind: ValueKind, _ help: String) -> ParameterSpec {
        if name.hasPrefix("-") { return ParameterSpec(name, kind, help: help) }
        var spec = ParameterSpec(name, kind, required: true)
        spec.help = help
        return spec
    }
}
