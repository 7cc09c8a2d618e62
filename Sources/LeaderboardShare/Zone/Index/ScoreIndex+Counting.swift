import Ledger
import NodeCore
import SyncState

/// The index's source when it counts: the group according to its control records, and its records.
protocol ScoreJudge: AnyObject {
    var store: ZoneStore { get }
    var catalogue: GameCatalogue { get }
    /// A key per member that determines which of its scores count.
    var scoreKeys: [MemberID: Bytes16] { get throws }
    /// The scores that stand at a place of a lane, by `Record.name`; more than one where the lane was forked.
    func scores(at place: ScoreTables.Place) throws -> [(score: DailyScore, name: RecordHash, lane: LaneID)]
    /// True if the group's control records accept a score.
    func accepts(_ score: DailyScore, _ name: RecordHash, lane: LaneID) throws -> Bool
    /// The lanes of a member that have a place.
    func lanes(of member: MemberID) -> [LaneID]
}

/// Counting: from rows and arrivals to standings.
extension ScoreIndex {
    /// The standings of all scores held that the group's state accepts.
    func count(_ judge: any ScoreJudge) throws -> Standings {
        try take(judge.catalogue)
        let keys = try judge.scoreKeys
        var recounted: Set<Int> = []
        for number in members.indices {
            let key = keys[members[number].id] ?? .zero
            guard members[number].counted != key else { continue }
            if !members[number].isFresh {
                try recount(number, isPossible: key != .zero, judge)
                recounted.insert(number)
            }
            members[number].counted = key
            hasUnwritten = true
        }
        var waiting: [Arrived] = []
        // Processes each day and game at once: comparing each result with all others would cost the square of their
        // number.
        var cells: [Cell: [Arrived]] = [:]
        var order: [Cell] = []
        for score in arrived where !recounted.contains(score.member) {
            // Results of members not known yet may count when the control records are here.
            if members[score.member].counted == Bytes16.zero {
                waiting.append(score)
            } else {
                members[score.member].isFresh = false
                let cell = Cell(member: score.member, game: score.place.game, day: score.score.day)
                if cells[cell] == nil { order.append(cell) }
                cells[cell, default: []].append(score)
            }
        }
        for cell in order where Self.isShown(cell.day) { try enter(cells[cell] ?? [], of: cell, judge) }
        arrived = waiting
        for number in games.indices where games[number].rule == nil {
            games[number].rule = standings?.catalogue[games[number].id].map(Self.rule)
        }
        guard let standings else { preconditionFailure("invariant: the catalogue was taken") }
        return standings
    }

    /// Processes new scores of one member, game and day.
    private func enter(_ arrived: [Arrived], of cell: Cell, _ judge: any ScoreJudge) throws {
        guard let first = try arrived.first(where: { try judge.accepts($0.score, $0.name, lane: $0.lane) }) else {
            return
        }
        let own = lanes(of: cell.member, judge)
        let places = try tables.places(member: cell.member, game: cell.game, day: cell.day, in: own)
        // A place of a forked lane may have several.
        guard places.count > 1 || judge.store.lane(first.lane)?.isForked == true else {
            return put(first.score, first.place.arrival, member: cell.member, game: cell.game)
        }
        guard let best = try best(of: places, member: cell.member, judge) else { return }
        put(best.score, best.place.arrival, member: cell.member, game: cell.game)
    }

    private struct Cell: Hashable {
        let member: Int
        let game: Int
        let day: Day
    }

    /// The places of one cell that must be read: in lanes of the member, and in each lane the newest, as many
    /// as there are revisions. Others may fill the cell with anything, at no cost.
    private func readable(
        _ places: some Sequence<ScoreTables.Place>, member: Int, _ judge: any ScoreJudge
    ) -> [ScoreTables.Place] {
        let own = lanes(of: member, judge)
        var byLane: [Int: [ScoreTables.Place]] = [:]
        for place in places where own.contains(place.lane) { byLane[place.lane, default: []].append(place) }
        return byLane.keys.sorted().flatMap { lane in
            (byLane[lane] ?? []).suffix(Int(Limits.scoreRevision))
        }
    }

    /// The lanes of a member, by their numbers.
    func lanes(of member: Int, _ judge: any ScoreJudge) -> Set<Int> {
        if let known = knownLanes[member] { return known }
        let placed = judge.lanes(of: members[member].id)
        let lanes = Set(placed.compactMap(judge.store.laneNumber))
        // A lane that entered before any of its rows arrived has no number yet.
        if lanes.count == placed.count { knownLanes[member] = lanes }
        return lanes
    }

    private func put(_ score: DailyScore, _ arrival: ScoreArrival, member: Int, game: Int) {
        standings?.put(score, arrival)
        dirtyBlocks.insert(BlockKey(member: member, game: game, block: DayBits.split(score.day).word))
    }

    /// Reads all records of a member's results again.
    private func recount(_ member: Int, isPossible: Bool, _ judge: any ScoreJudge) throws {
        standings?.remove(members[member].id)
        dirtyMembers.insert(member)
        guard isPossible else { return }
        for places in Self.shownCells(try tables.places(member: member)) {
            guard let best = try best(of: places, member: member, judge) else { continue }
            standings?.put(best.score, best.place.arrival)
        }
    }

    /// False for a day that no game has: each that counted would take as much memory as its row takes of a disk.
    private static func isShown(_ day: Day) -> Bool { Limits.shownDays.contains(day.number) }

    static func shownCells(_ places: [ScoreTables.Place]) -> [ArraySlice<ScoreTables.Place>] {
        cells(places.filter { isShown($0.day) })
    }

    /// Places in order, split where game or day change.
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

    /// The effective record at these places; nil if there is none.
    ///
    /// - Parameter absent: records to ignore.
    func best(
        of places: some Sequence<ScoreTables.Place>, without absent: Set<RecordHash> = [], member: Int,
        _ judge: any ScoreJudge
    ) throws -> (score: DailyScore, place: ScoreTables.Place, lane: LaneID)? {
        var best: (score: DailyScore, place: ScoreTables.Place, lane: LaneID)?
        let places = Array(places)
        for place in places.count > 1 ? readable(places, member: member, judge) : places {
            for held in try judge.scores(at: place) {
                let score = held.score
                guard score.member == members[member].id, score.day == place.day, known(score.game) == place.game,
                    !absent.contains(held.name), try judge.accepts(score, held.name, lane: held.lane)
                else { continue }
                if let best, !score.supersedes(best.score) { continue }
                best = (score, place, held.lane)
            }
        }
        return best
    }

    // MARK: The catalogue

    /// A hash of everything that a game's points depend on.
    static func rule(_ game: Game) -> Bytes16 {
        // The last byte names the rule of possible results and maxima: what an earlier one counted is counted again.
        let range: [UInt8] = game.model.isLowerBetter ? [3] : []
        return Blake2b.hash16(
            [game.model.rawValue, UInt8(clamping: game.maxAttempts)] + range, domain: "kachat game rule")
    }

    /// Switches to these games: results of games whose rule differs from the one they were counted by are counted
    /// again.
    private func take(_ catalogue: GameCatalogue) throws {
        if let standings, standings.catalogue.games == catalogue.games { return }
        for number in games.indices {
            let rule = catalogue[games[number].id].map(Self.rule)
            guard games[number].rule != rule else { continue }
            for member in try tables.members(ofGame: number)
            where members.indices.contains(member) && !members[member].isFresh {
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
            guard members.indices.contains(member), members[member].counted != nil else { return }
            guard let block, games.indices.contains(game) else { return forget(member) }
            made.insert(block, member: members[member].id, game: games[game].id)
        }
        made.findWinners()
        standings = made
    }

    // MARK: Writing

    /// Stores the counts, so that a start need not repeat them; runs in the caller's transaction.
    func write(_ judge: any ScoreJudge) throws {
        guard hasUnwritten else { return }
        _ = try count(judge)
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
        for number in members.indices {
            // Waiting results are not in the blocks and would be forgotten. Nor are those of a member that counts
            // nothing: with its former key it would pass for counted once that key is its own again.
            let isInBlocks = !members[number].isFresh && members[number].counted != Bytes16.zero
            let key = isInBlocks ? members[number].counted : nil
            guard members[number].stored != key else { continue }
            try tables.putMember(number, members[number].id, key: key)
            members[number].stored = key
        }
        dirtyBlocks = []
        dirtyMembers = []
        hasUnwritten = false
    }
}
