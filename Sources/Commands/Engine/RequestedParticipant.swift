import Chat
import Node
import NodeModel

/// A participant of a conversation, as a request gives it.
struct RequestedParticipant: Model {
    private var address = ""
    private var name: String?

    static let most = Chat.Limits.participants
    /// Bytes of the addresses and names of all participants.
    static let bytesOfAll = Chat.Limits.participantsBytes
    /// The list of them in words, to follow "must be".
    static let allowed = "a list of at most \(most) objects with `address` and `name`"

    private static let addressRule = FieldRule.bytes(Chat.Limits.participantBytes, of: .address)
    private static let nameRule = FieldRule.bytes(Chat.Limits.participantBytes, orEmpty: true, of: .text)

    init() {}

    /// - Parameter value: an object without further fields.
    init(given value: JSONValue) throws(FieldError) {
        guard case .object(let fields) = value, fields.keys.allSatisfy({ ["address", "name"].contains($0) }) else {
            throw FieldError("", "must be an object with `address` and `name`")
        }
        try self.init(json: value)
    }

    mutating func fields(_ field: inout FieldCoder) {
        field("address", &address, Self.addressRule)
        field.optional("name", &name, Self.nameRule)
    }

    /// As the command line writes it.
    var text: String { name.map { "\(address)=\($0)" } ?? address }
    var bytes: Int { address.utf8.count + (name?.utf8.count ?? 0) }

    static let listSchema: JSONValue = [
        "type": "array", "maxItems": .number(most),
        "items": [
            "type": "object", "additionalProperties": false, "required": ["address"],
            "properties": ["address": addressRule.schema, "name": nullable(nameRule.schema)],
        ],
        "description": .string("all addresses and names together: at most \(bytesOfAll) bytes of UTF-8"),
    ]
}

extension ValueKind {
    /// A conversation's id.
    static func conversation(_ word: String) -> ValueKind { .limited(word, bytes: Chat.Limits.conversationIDBytes) }
}
