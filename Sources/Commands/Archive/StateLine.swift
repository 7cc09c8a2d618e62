import Chat
import Node
import NodeCore
import NodeModel
import SyncState

/// A line of an archive about a conversation instead of a message.
///
/// `StateFields` has its fields. A deletion of a conversation has `conversationId` and `through`, one of a message
/// neither.
enum StateLine: Equatable {
    /// The messages up to which a conversation was read, and those read by themselves.
    case read(ReadMarker)
    /// The deletion of a message, or of a conversation up to a time.
    case deleted(Deletion)
    /// Title, participants, flags and checkpoint, with the revisions that order their changes.
    case details(ConversationDetails)

    /// All of an account's: read positions and details in the order of the conversations, then deletions.
    package static func all(of zone: AccountZone) throws -> [StateLine] {
        try zone.reads.all().map { .read($0) } + zone.chat.allDetails().map { .details($0) }
            + zone.deletions.all().map { .deleted($0) }
    }

    /// Takes it over into an account.
    ///
    /// - Returns: whether it was new there.
    func adopt(in zone: AccountZone, now: MonotonicTime) throws -> Bool {
        switch self {
        case .read(let marker): try zone.reads.adoptRead(marker, now: now)
        case .deleted(let deletion): try zone.deletions.adopt(deletion)
        case .details(let details): try zone.details.adopt(details)
        }
    }

    /// True if a line may be one: in JSON these bytes occur only before a field's value. This runs for each line of an
    /// import, and the standard library's search is too slow for that.
    package static func isOne(_ line: [UInt8]) -> Bool {
        var rest = line[...]
        while let quote = rest.firstIndex(of: mark[0]) {
            if line[quote...].starts(with: mark) { return true }
            rest = line[(quote + 1)...]
        }
        return false
    }

    private static let mark = Array("\"kind\":".utf8)

    package var json: JSONValue {
        switch self {
        case .read(let marker):
            StateFields {
                ($0.kind, $0.conversationId) = (.read, marker.conversationID)
                $0.readAt = Int(marker.readAt.milliseconds)
                $0.upTo = marker.bounds.map { StateFields.Bound($0) }
                $0.named = marker.named.map(\.hex)
            }.json
        case .details(let details): details.json
        case .deleted(let deletion):
            StateFields {
                ($0.kind, $0.at) = (.deleted, Int(deletion.at.milliseconds))
                switch deletion.subject {
                case .message(let txid): $0.txid = txid.hex
                case .conversation(let id):
                    $0.conversationId = id
                    $0.through = deletion.bound.map { Int(clamping: $0.through) }
                    $0.txid = deletion.bound?.named.hex
                }
            }.json
        }
    }

    init(json line: [UInt8]) throws(FieldError) {
        let value = try JSONValue(object: line)
        switch value["kind"]?.text {
        case "read": self = .read(try Self.marker(value))
        case "deleted": self = .deleted(try Self.deletion(value))
        case "conversation": self = .details(try ConversationDetails(json: value))
        case let kind: throw FieldError("", "has a `kind` that this program does not know: `\(kind ?? "")`")
        }
    }

    private static func deletion(_ value: JSONValue) throws(FieldError) -> Deletion {
        let at = WallTime(milliseconds: Int64(try number(value, "at", Chat.Limits.timeMilliseconds) ?? 0))
        guard value["conversationId"] != nil else { return Deletion(message: try txid(value, "txid"), at: at) }
        guard let through = try number(value, "through", Chat.Limits.timeMilliseconds) else {
            throw FieldError("", "lacks `through`")
        }
        // Archives of older programs name no message.
        let named = value["txid"] == nil ? TxID.zero : try txid(value, "txid")
        return Deletion(
            conversation: try conversation(value), upTo: Deletion.Bound(through: through, named: named), at: at)
    }

    package static func conversation(_ value: JSONValue) throws(FieldError) -> String {
        guard let id = value["conversationId"]?.text, (1...Node.Limits.nameBytes).contains(id.utf8.count) else {
            throw FieldError("", "`conversationId` must be a text of 1 to \(Node.Limits.nameBytes) bytes")
        }
        return id
    }

    private static func marker(_ value: JSONValue) throws(FieldError) -> ReadMarker {
        let id = try conversation(value)
        let readAt = try number(value, "readAt", Chat.Limits.timeMilliseconds) ?? 0
        return ReadMarker(
            conversationID: id, bounds: try value["upTo"] == nil ? oldBounds(value) : bounds(value),
            named: try names(value), readAt: WallTime(milliseconds: Int64(readAt)))
    }

    private static func bounds(_ value: JSONValue) throws(FieldError) -> [ReadBound] {
        let limit = Chat.Limits.readBounds
        guard case .array(let listed)? = value["upTo"], listed.count <= limit else {
            throw FieldError("", "`upTo` must be a list of up to \(limit) messages")
        }
        var bounds: [ReadBound] = []
        for bound in listed {
            guard let time = try number(bound, "time", Chat.Limits.timeMilliseconds) else {
                throw FieldError("", "`upTo` lacks `time`")
            }
            bounds.append(
                ReadBound(
                    txid: try txid(bound, "txid"),
                    acceptingDaaScore: try number(bound, "acceptingDaaScore", Chat.Limits.acceptingDaaScore),
                    timeMilliseconds: time))
        }
        return bounds
    }

    /// Archives of older programs have a point on the score scale, and a time that names no message.
    private static func oldBounds(_ value: JSONValue) throws(FieldError) -> [ReadBound] {
        let marked = try value["txid"] == nil ? TxID.zero : txid(value, "txid")
        var bounds: [ReadBound] = []
        if let score = try number(value, "acceptingDaaScore", Chat.Limits.acceptingDaaScore) {
            let txid = try txid(value, "scoreTxid")
            bounds.append(ReadBound(txid: txid, acceptingDaaScore: score, timeMilliseconds: 0))
        }
        if let time = try number(value, "time", Chat.Limits.timeMilliseconds) {
            bounds.append(ReadBound(txid: marked, timeMilliseconds: time))
        }
        return bounds
    }

    private static func names(_ value: JSONValue) throws(FieldError) -> [TxID] {
        guard let field = value["named"], field != .null else { return [] }
        let limit = Chat.Limits.namedReads
        let names = field.elements.compactMap { $0.text.flatMap { TxID(hex: $0) } }
        guard case .array(let listed) = field, listed.count <= limit, names.count == listed.count else {
            throw FieldError("", "`named` must be a list of up to \(limit) times 64 hexadecimal digits")
        }
        return names
    }

    package static func number(_ value: JSONValue, _ name: String, _ limit: UInt64) throws(FieldError) -> UInt64? {
        guard let field = value[name], field != .null else { return nil }
        guard let number = field.integer.flatMap({ UInt64(exactly: $0) }), number <= limit else {
            throw FieldError("", "`\(name)` must be a whole number from 0 to \(limit)")
        }
        return number
    }

    private static func txid(_ value: JSONValue, _ name: String) throws(FieldError) -> TxID {
        guard let txid = value[name]?.text.flatMap({ TxID(hex: $0) }) else {
            throw FieldError("", "`\(name)` must have 64 hexadecimal digits")
        }
        return txid
    }
}

extension StateFields.Bound {
    fileprivate init(_ bound: ReadBound) {
        self.init()
        (txid, time) = (bound.txid.hex, Int(clamping: bound.timeMilliseconds))
        acceptingDaaScore = bound.acceptingDaaScore.map { Int(clamping: $0) }
    }
}
