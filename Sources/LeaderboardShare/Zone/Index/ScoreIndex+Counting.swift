import NodeCore
import SyncState

/// Counting: from rows and arrivals to standings.
extension ScoreIndex {
    /// The standings by all that is held, as the group's state lets it count.
    func count(_ zone: GroupZone) throws -> Standings {
        try take(zone.catalogue)
        let keys = zone.scoreKeys
        var recounted: Set<Int> = []
        for number in members.indices {
            let key = keys[members[number].id] ?? .zero
            guard members[number].counted != key else { continue }
            if !members[number].isFresh {
                try recount(number, isPossible: key != .zero, zone)
                recounted.insert(number)
            }
            members[number].counted = key
            hasUnwritten = true
        }
        var waiting: [Arrived] = []
        for score in arrived where !recounted.contains(score.member) {
            // Whose member is not known yet may count when the control records are here.
            if members[score.member].counted == Bytes16.zero {
                waiting.append(score)
            } else {
                members[score.member].isFresh = false
                try enter(score, zone)
            }
        }
        arrived = waiting
        for number in games.indices where games[number].rule == nil {
            games[number].rule = standings?.catalogue[games[number].id].map(Self.rule)
        }
        guard let standings else { preconditionFailure("invariant: the catalogue was taken") }
        return standings
    }

    private func enter(_ arrived: Arrived, _ zone: GroupZone) throws {
        guard zone.accepts(arrived.score, arrived.hash, lane: arrived.lane) else { return }
        let score = arrived.score
        let places = try tables.places(member: arrived.member, game: arrived.place.game, day: score.day)
        guard places.count > 1 else {
            return put(score, isLate: arrived.place.isLate, member: arrived.member, game: arrived.place.game)
        }
        guard let best = try best(of: places, member: arrived.member, zone) else { return }
        put(best.score, isLate: best.isLate, member: arrived.member, game: arrived.place.game)
    }

    private func put(_ score: DailyScore, isLate: Bool, member: Int, game: Int) {
        standings?.put(score, isLate: isLate)
        dirtyBlocks.insert(BlockKey(member: member, game: game, block: DayBits.split(score.day).word))
    }

    /// Reads all records of a member's results anew.
    private func recount(_ member: Int, isPossible: Bool, _ zone: GroupZone) throws {
        standings?.remove(members[member].id)
        dirtyMembers.insert(member)
        guard isPossible else { return }
        for places in Self.cells(try tables.places(member: member)) {
            guard let best = try best(of: places, member: member, zone) else { continue }
            standings?.put(best.score, isLate: best.isLate)
        }
    }

    /// Places in order, cut where game or day change.
    static func cells(_ places: [ScoreTables.Place]) -> [ArraySlice<ScoreTables.Place>] {
        var cells: [ArraySlice<ScoreTables.Place>] = []
        var start = 0
        for index in places.indices.dropFirst()
        where places[index].game != places[start].game || places[index].day != places[start].day {
            cells.append(places[start..<index])
            start = index
        }
        if start < places.count { cells.append(places[start...]) }
        return cells
    }

    /// Of the records at these places the one that counts; nil where none does.
    func best(
        of places: some Sequence<ScoreTables.Place>, member: Int, _ zone: GroupZone
    ) throws -> (score: DailyScore, place: ScoreTables.Place, lane: LaneID, isLate: Bool)? {
        var best: (score: DailyScore, place: ScoreTables.Place, lane: LaneID, isLate: Bool)?
        for place in places {
            for record in try zone.store.records(lane: place.lane, seq: place.seq) {
                guard case .score(let score)? = try? zone.read(record), score.member == members[member].id,
                    score.day == place.day, known(score.game) == place.game,
                    zone.accepts(score, record.hash, lane: record.lane)
                else { continue }
                if let best, !score.supersedes(best.score) { continue }
                best = (score, place, record.lane, place.isLate)
            }
        }
        return best
    }

    // MARK: The catalogue

    /// What the points of a game follow from.
    static func rule(_ game: Game) -> Bytes16 {
        Blake2b.hash16([game.model.rawValue, UInt8(clamping: game.maxAttempts)], domain: "kachat game rule")
    }

    /// Goes by these games: results of games whose rule is another than that they were counted by are counted anew.
    private func take(_ catalogue: GameCatalogue) throws {
        if let standings, standings.catalogue.games == catalogue.games { return }
        for number in games.indices {
            let rule = catalogue[games[number].id].map(Self.rule)
            guard games[number].rule != rule else { continue }
            for member in try tables.members(ofGame: number) where !members[member].isFresh {
                forget(member)
            }
            games[number].rule = rule
        }
        guard standings == nil else {
            standings?.take(catalogue)
            return
        }
        var made = Standings(catalogue: catalogue)
        try tables.forEachBlock { member, game, block in
            guard members[member].counted != nil else { return }
            made.insert(block, member: members[member].id, game: games[game].id)
        }
        made.findWinners()
        standings = made
    }

    // MARK: Writing

    /// Keeps what was counted, so that a start need not count it.
    func write(_ zone: GroupZone) throws {
        guard hasUnwritten else { return }
        _ = try count(zone)
        try zone.store.begin()
        guard let standings else { return }
        for key in dirtyBlocks.sorted(by: { ($0.member, $0.game, $0.block) < ($1.member, $1.game, $1.block) }) {
            let block = standings.block(key.block, member: members[key.member].id, game: games[key.game].id)
            guard let block else {
                dirtyMembers.insert(key.member)
                continue
            }
            try tables.put(block, member: key.member, game: key.game)
        }
        for member in dirtyMembers.sorted() {
            try tables.dropBlocks(member: member)
            for game in games.indices {
                for block in standings.blocks(member: members[member].id, game: games[game].id) {
                    try tables.put(block, member: member, game: game)
                }
            }
        }
        for number in games.indices { try tables.putGame(number, games[number].id, rule: games[number].rule) }
        for number in members.indices where members[number].stored != members[number].counted {
            // What waits is not in the blocks: it would be forgotten.
            guard !members[number].isFresh, members[number].counted != Bytes16.zero else { continue }
            try tables.putMember(number, members[number].id, key: members[number].counted)
            members[number].stored = members[number].counted
        }
        dirtyBlocks = []
        dirtyMembers = []
        hasUnwritten = false
    }
}
