import JSONLines
import NodeModel

/// What a document of the node can be read into.
protocol Readable {
    init(_ fields: Fields) throws(ClientError)
}

extension Readable where Self: Model {
    init(_ fields: Fields) throws(ClientError) {
        do throws(FieldError) {
            try self.init(json: fields.value)
        } catch {
            throw .badAnswer("it \(error)")
        }
    }
}

extension Message: Readable {}
extension Conversation: Readable {}
extension MarkResult: Readable {}
extension DeleteResult: Readable {}
extension Flushed: Readable {}
extension NodeStatus: Readable {}
extension Account: Readable {}
extension Device: Readable {}
extension SyncResult: Readable {}
extension BackgroundResult: Readable {}
extension Change: Readable {}

extension Change {
    /// The node only says where the feed is now.
    var isHere: Bool { kind == .here }
}

/// The fields of one JSON object of an answer. Fields that this version does not know are left alone.
struct Fields {
    fileprivate let value: JSONValue

    init(_ value: JSONValue) { self.value = value }

    func text(_ name: String) throws(ClientError) -> String {
        guard let text = value[name]?.text else { throw .badAnswer("it lacks the text `\(name)`") }
        return text
    }

    func count(_ name: String) throws(ClientError) -> Int {
        guard let count = value[name]?.integer.flatMap({ Int(exactly: $0) }) else {
            throw .badAnswer("it lacks the number `\(name)`")
        }
        return count
    }

    func flag(_ name: String) throws(ClientError) -> Bool {
        guard let flag = value[name]?.boolean else { throw .badAnswer("it lacks the flag `\(name)`") }
        return flag
    }

    func list<Value: Readable>(_ name: String, of type: Value.Type) throws(ClientError) -> [Value] {
        guard case .array(let elements)? = value[name] else { throw .badAnswer("it lacks the list `\(name)`") }
        var values: [Value] = []
        for element in elements { values.append(try Value(Fields(element))) }
        return values
    }

    // MARK: What may be absent or null

    func optionalText(_ name: String) -> String? { value[name]?.text }
    func optionalCount(_ name: String) -> Int? { value[name]?.integer.flatMap { Int(exactly: $0) } }
    func optionalFlag(_ name: String) -> Bool? { value[name]?.boolean }
    func texts(_ name: String) -> [String] { value[name]?.elements.compactMap(\.text) ?? [] }
    func counts(_ name: String) -> [Int] {
        value[name]?.elements.compactMap { $0.integer.flatMap { Int(exactly: $0) } } ?? []
    }

    func optionalList<Value: Readable>(_ name: String, of type: Value.Type) throws(ClientError) -> [Value] {
        value[name] == nil ? [] : try list(name, of: type)
    }

    func optional<Value: Readable>(_ name: String, _ type: Value.Type) throws(ClientError) -> Value? {
        guard case .object? = value[name] else { return nil }
        return try Value(Fields(value[name] ?? .null))
    }

    /// A number with a fraction, or a whole one.
    func optionalNumber(_ name: String) -> Double? {
        switch value[name] {
        case .int(let whole)?: Double(whole)
        case .double(let number)?: number
        default: nil
        }
    }
}
