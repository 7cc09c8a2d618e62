import Ledger
import NodeCore
import SyncState

/// Finding rot in the tables: a part of them at a time, since a group may have a million rows.
extension ScoreIndex {
    /// In which table a row has its place.
    enum Placed {
        case score(DailyScore)
        case other
    }

    /// Reads a record: nil if it has no place.
    typealias Reading = (Record) throws(RecordRejection) -> Placed?

    /// Checks a part: first the places of the rows, then what is counted at them. After damage nothing more is checked.
    func isSound(_ cursor: inout DerivedCursor, _ judge: any ScoreJudge, _ read: Reading) throws -> Bool {
        let isSound = try cursor.part == 0 ? hasPlaces(&cursor, judge, read) : areSound(&cursor, judge)
        if !isSound { cursor.end() }
        return isSound
    }

    private func hasPlaces(_ cursor: inout DerivedCursor, _ judge: any ScoreJudge, _ read: Reading) throws -> Bool {
        var hasAll = true
        let before = RowID(value: cursor.place)
        let last = try judge.store.forEachRecord(after: before, limit: SyncState.Limits.scrubbedRows) { record in
            guard hasAll, let number = judge.store.laneNumber(record.lane) else { return }
            let placed: Placed?
            do { placed = try read(record) } catch { return }
            switch placed {
            case .score(let score): hasAll = try holds(score, lane: number, seq: record.seq)
            case .other: hasAll = try tables.holdsOther(lane: number, seq: record.seq)
            case nil: break
            }
        }
        if let last { cursor.place = last.value } else { cursor.nextPart() }
        return hasAll
    }

    /// Compares the standings, some of which were read from the tables, with the records: those of some members in some
    /// games. The first member has part 1; the place is a game's number.
    private func areSound(_ cursor: inout DerivedCursor, _ judge: any ScoreJudge) throws -> Bool {
        let standings = try count(judge)
        var looked: UInt64 = 0
        while looked < SyncState.Limits.scrubbedRows {
            let (number, game) = (cursor.part - 1, Int(cursor.place))
            guard number < members.count else {
                cursor.end()
                return true
            }
            guard game < games.count else {
                cursor.nextPart()
                continue
            }
            cursor.place += 1
            let counts = members[number].counted != Bytes16.zero
            let places = counts ? try tables.places(member: number, game: game) : []
            looked += 1 + UInt64(places.count)
            var counted = Standings(catalogue: standings.catalogue)
            for places in Self.shownCells(places) {
                guard let best = try best(of: places, member: number, judge) else { continue }
                counted.put(best.score, best.place.arrival)
            }
            let (member, id) = (members[number].id, games[game].id)
            guard standings.results(member: member, game: id) == counted.results(member: member, game: id) else {
                return false
            }
        }
        return true
    }
}
