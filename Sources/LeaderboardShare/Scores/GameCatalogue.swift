package import NodeCore

/// A game of a group, as entered by an admin or the owner.
package struct Game: Hashable, Sendable {
    package let id: GameID
    package let name: String
    package let model: ScoringModel
    package let maxAttempts: UInt32
    /// One above the highest that the writer saw for this id; from 1.
    package let revision: UInt32
    /// Its position in the catalogue: one above the highest that the writer saw.
    package let number: UInt32

    package init(
        id: GameID, name: String, model: ScoringModel, maxAttempts: UInt32 = 0, revision: UInt32 = 1, number: UInt32
    ) throws(ScoreError) {
        guard GroupTitle.isAcceptable(title: name) else { throw .badName }
        guard maxAttempts <= Limits.maxAttempts else { throw .outOfRange }
        guard (1...Limits.scoreRevision).contains(revision) else { throw .tooManyRevisions }
        self.id = id
        self.name = name
        self.model = model
        self.maxAttempts = maxAttempts
        self.revision = revision
        self.number = number
    }

    /// `[version, id, name, model, maxAttempts, revision, number]`.
    package var encoded: [UInt8] {
        CBORWriter.array(1, id, name, Int(model.rawValue), maxAttempts, revision, number)
    }

    package init(encoded: [UInt8]) throws(ScoreError) {
        do {
            var reader = try CBORReader(encoded, array: 7)
            guard try reader.readUInt() == 1 else { throw ScoreError.malformed }
            let id = try reader.read(GameID.self)
            let name = try reader.readText(max: Limits.titleBytes)
            guard let raw = UInt8(exactly: try reader.readUInt()), let model = ScoringModel(rawValue: raw) else {
                throw ScoreError.malformed
            }
            try self.init(
                id: id, name: name, model: model, maxAttempts: reader.readUInt32(), revision: reader.readUInt32(),
                number: reader.readUInt32())
            try reader.finish()
        } catch let error as ScoreError {
            throw error
        } catch {
            throw .malformed
        }
    }

    var valueHash: Bytes32 { Blake2b.hash32(encoded, domain: "kachat game") }

    // MARK: Results

    /// The maximum of a result: the game's, or if it has none the result's own; 0 for none, as in a game that counts no
    /// attempts. A result that chose its own would choose its points.
    package func maximum(_ own: UInt32?) -> UInt32 {
        guard model.countsAttempts else { return 0 }
        return maxAttempts > 0 ? maxAttempts : own ?? 0
    }

    /// Throws if no completed result can have this score.
    ///
    /// - Parameter maxAttempts: the result's own maximum; nil or 0 for none.
    package func check(score: UInt32?, maxAttempts own: UInt32?) throws(ScoreError) {
        let possible = model.possible(maxAttempts: maximum(own))
        guard let score, !possible.contains(score) else { return }
        throw .impossible(ImpossibleScore(game: name, score: score, possible: possible))
    }

    /// The score that counts: nil if the result was not completed or is impossible, as an older or foreign program may
    /// have posted it.
    package func counted(_ result: DailyScore) -> UInt32? {
        model.counted(result.score, maxAttempts: maximum(result.maxAttempts))
    }

    package func points(_ result: DailyScore) -> UInt32 {
        model.points(score: result.score, maxAttempts: maximum(result.maxAttempts))
    }
}

/// The games of a group: a function of the set of accepted entries, so that all nodes score alike.
///
/// Among several entries for one game, the highest revision wins, then the lower hash. If there are more than fifty
/// games, those of the owner stay first, then the lowest numbers, then the lower hashes. Only admins and the owner may
/// enter games, which the caller has checked.
package struct GameCatalogue: Sendable {
    /// In order of their positions.
    package let games: [Game]
    private let places: [GameID: Int]
    /// Of the owner's games, how many there are.
    private let ownerGames: Int

    /// - Parameter owners: the games that the owner entered.
    package init(_ entries: some Sequence<Game> = [], owners: Set<GameID> = []) {
        var best: [GameID: Game] = [:]
        for entry in entries {
            guard let known = best[entry.id] else {
                best[entry.id] = entry
                continue
            }
            let isNewer = entry.revision > known.revision
            let isTie = entry.revision == known.revision && entry.valueHash < known.valueHash
            if isNewer || isTie { best[entry.id] = entry }
        }
        let ordered = best.values.map { (game: $0, hash: $0.valueHash) }.sorted {
            ($0.game.number, $0.hash) < ($1.game.number, $1.hash)
        }
        let first = ordered.filter { owners.contains($0.game.id) }.prefix(Limits.games)
        let others = ordered.filter { !owners.contains($0.game.id) }.prefix(Limits.games - first.count)
        let kept = Set((first + others).map(\.game.id))
        games = ordered.map(\.game).filter { kept.contains($0.id) }
        ownerGames = first.count
        places = Dictionary(uniqueKeysWithValues: games.enumerated().map { ($1.id, $0) })
    }

    package subscript(id: GameID) -> Game? { places[id].map { games[$0] } }

    /// The first game with this name, ignoring case.
    package func game(named name: String) -> Game? {
        let wanted = name.lowercased()
        return games.first { $0.name.lowercased() == wanted }
    }

    /// There is no room for a further game of an admin's, or of the owner's, which takes the place of an admin's.
    package func isFull(forOwner: Bool) -> Bool { (forOwner ? ownerGames : games.count) >= Limits.games }

    /// The position for a further game.
    package var nextNumber: UInt32 { (games.map(\.number).max() ?? 0).addingReportingOverflow(1).partialValue }
}

/// A game, identified by the UUID that all groups and devices use for it.
package struct GameID: Identifier16 {
    package let storage: Bytes16

    package init(_ storage: Bytes16) { self.storage = storage }

    /// The default id for a name: if two admins enter a game by its name, they enter the same game. A UUID of version 8
    /// (RFC 9562, §5.8) of the name in lower case.
    package init(name: String) {
        var bytes = Blake2b.hash16(Array(name.lowercased().utf8), domain: "kachat game id").bytes
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        // invariant: the hash has sixteen bytes.
        self.init(Bytes16(bytes: bytes) ?? .zero)
    }
}
