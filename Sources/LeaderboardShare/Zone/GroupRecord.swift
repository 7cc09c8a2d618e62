import Ledger
import NodeCore
import SyncState

/// The content of a row in a group's lane, inside its sealed meta.
enum GroupRecord: RecordContent {
    case score(DailyScore)
    case game(GameEntry)
    case name(MemberName)

    /// Lower numbers belong to accounts; no number has two meanings.
    enum Kind: UInt64 {
        case score = 17
        case game = 18
        case name = 19
    }

    var meta: RecordMeta {
        switch self {
        case .score(let score): Self.meta(.score, score.encoded)
        case .game(let entry): Self.meta(.game, entry.encoded)
        case .name(let name): Self.meta(.name, name.encoded)
        }
    }

    private static func meta(_ kind: Kind, _ fields: [UInt8]) -> RecordMeta {
        RecordMeta(number: kind.rawValue, fields: fields)
    }

    /// Nil for a type of a later version.
    init?(_ meta: RecordMeta) throws {
        switch Kind(rawValue: meta.type) {
        case .score: self = .score(try DailyScore(encoded: meta.fields))
        case .game: self = .game(try GameEntry(encoded: meta.fields))
        case .name: self = .name(try MemberName(encoded: meta.fields))
        case nil: return nil
        }
    }

    /// The member for whom it counts, if that one's lane has it.
    var member: MemberID {
        switch self {
        case .score(let score): score.member
        case .game(let entry): entry.member
        case .name(let name): name.member
        }
    }

    /// The role that its member needs; nil for results.
    var need: Role? {
        switch self {
        case .score: nil
        case .game: .admin
        case .name: .viewer
        }
    }

    /// The name of the slot. All records are immutable, so it only prevents a record from posing as another.
    var slotName: String {
        switch self {
        case .score(let score): "score.\(score.id)"
        case .game(let entry): "game.\(entry.game.id.uuid)"
        case .name(let name): "name.\(name.member.hex)"
        }
    }
}

/// A game as entered by a member into the group's catalogue: `[member, game]`.
struct GameEntry: Hashable, Sendable {
    let member: MemberID
    let game: Game

    init(member: MemberID, game: Game) { (self.member, self.game) = (member, game) }

    var encoded: [UInt8] {
        CBORWriter.array(capacity: 128, member, game.encoded)
    }

    init(encoded: [UInt8]) throws {
        var reader = try CBORReader(encoded, array: 2)
        member = try reader.read(MemberID.self)
        game = try Game(encoded: try reader.readBytes(max: SyncState.Limits.recordSizeBytes))
        try reader.finish()
    }
}
