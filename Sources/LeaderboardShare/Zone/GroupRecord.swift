import NodeCore
import SyncState

/// The content of a record in a group's lane, inside its sealed meta.
enum GroupRecord: RecordContent {
    case control(ControlRecord)
    /// Its list of names is in the record's blob, so it cannot be read yet.
    case unnamed([UInt8])
    case score(DailyScore)
    case game(GameEntry)
    case name(MemberName)
    case handover(Handover)
    /// Sealed under a root that is not held: kept and passed on, and read once the root is here.
    case locked

    /// Lower numbers belong to accounts; no number has two meanings.
    enum Kind: UInt64 {
        case control = 16
        case score = 17
        case game = 18
        case name = 19
        case handover = 20
    }

    /// A list of names is fetched before anything it may affect.
    var priority: Int64 { if case .unnamed = self { .max } else { 0 } }

    var meta: RecordMeta? {
        switch self {
        case .control(let record): Self.meta(.control, record.encoded)
        case .score(let score): Self.meta(.score, score.encoded)
        case .game(let entry): Self.meta(.game, entry.encoded)
        case .name(let name): Self.meta(.name, name.encoded)
        case .handover(let handover): Self.meta(.handover, handover.encoded)
        case .unnamed, .locked: nil
        }
    }

    private static func meta(_ kind: Kind, _ fields: [UInt8]) -> RecordMeta {
        RecordMeta(number: kind.rawValue, fields: fields)
    }

    /// Nil for a type of a later version.
    init?(_ meta: RecordMeta, hasBlob: Bool) throws {
        switch Kind(rawValue: meta.type) {
        case .control where ControlRecord.digestOfExternalNames(encoded: meta.fields) != nil:
            guard hasBlob else { throw ControlError.wrongNames }
            self = .unnamed(meta.fields)
        case .control:
            guard !hasBlob else { throw ControlError.malformed }
            self = .control(try ControlRecord(encoded: meta.fields))
        case .score: self = .score(try DailyScore(encoded: meta.fields))
        case .game: self = .game(try GameEntry(encoded: meta.fields))
        case .name: self = .name(try MemberName(encoded: meta.fields))
        case .handover: self = .handover(try Handover(encoded: meta.fields))
        case nil: return nil
        }
    }

    /// The name of the slot. All records are immutable, so it only prevents a record from posing as another.
    var slotName: String? {
        switch self {
        case .control(let record): Self.controlSlot(record.encoded)
        case .unnamed(let encoded): Self.controlSlot(encoded)
        case .score(let score): "score.\(score.id)"
        case .game(let entry): "game.\(entry.game.id.uuid)"
        case .name(let name): "name.\(name.member.hex)"
        case .handover(let handover): "handover.\(handover.giving.hex)"
        case .locked: nil
        }
    }

    private static func controlSlot(_ encoded: [UInt8]) -> String {
        "control.\(Blake2b.hash32(encoded, domain: "kachat slot name").hex)"
    }
}

/// A game as entered by a member into the group's catalogue: `[member, game]`.
struct GameEntry: Hashable, Sendable {
    let member: MemberID
    let game: Game

    init(member: MemberID, game: Game) {
        self.member = member
        self.game = game
    }

    var encoded: [UInt8] {
        var writer = CBORWriter(capacity: 128)
        writer.writeArray(2)
        writer.write(member)
        writer.write(bytes: game.encoded)
        return writer.bytes
    }

    init(encoded: [UInt8]) throws {
        var reader = CBORReader(encoded)
        guard try reader.readArray(max: 2) == 2 else { throw ScoreError.malformed }
        member = try reader.read(MemberID.self)
        game = try Game(encoded: try reader.readBytes(max: SyncState.Limits.recordSizeBytes))
        try reader.finish()
    }
}
