import NodeCore

/// Standings in parts, as they are kept and read back.
extension Standings {
    /// The block of a member's results of a game; nil where there is none.
    func block(_ number: Int32, member: MemberID, game: GameID) -> ScoreColumn.Block? {
        blocks(member: member, game: game).first { $0.number == number }
    }

    /// Ascending.
    func blocks(member: MemberID, game: GameID) -> [ScoreColumn.Block] {
        guard let number = numbers[member], let place = places[game] else { return [] }
        return columns[number][place].blocks
    }

    /// Takes a block over, behind those of the same member and game that were taken before. Who won is found by
    /// `findWinners`, when all are here.
    mutating func insert(_ block: ScoreColumn.Block, member: MemberID, game: GameID) {
        guard let place = places[game] else { return }
        columns[number(of: member)][place].append(block)
    }

    /// Finds the winners of all days from the results.
    mutating func findWinners() {
        best = [:]
        for number in columns.indices {
            for place in columns[number].indices {
                let model = catalogue.games[place].model
                columns[number][place].forgetWinners()
                for block in columns[number][place].blocks {
                    var rest = block.completed
                    while rest != 0 {
                        let bit = rest.trailingZeroBitCount
                        rest &= rest - 1
                        let day = Day(number: Int(block.number) << 6 + bit)
                        enter(block.cellScores[bit], number, place, day, model)
                    }
                }
            }
        }
    }

    /// Goes by another catalogue. Results stay with their games; those of a game whose rule changed are to be put anew.
    mutating func take(_ next: GameCatalogue) {
        let before = places
        catalogue = next
        places = Dictionary(uniqueKeysWithValues: next.games.enumerated().map { ($1.id, $0) })
        for number in columns.indices {
            let old = columns[number]
            columns[number] = next.games.map { game in before[game.id].map { old[$0] } ?? ScoreColumn() }
        }
        findWinners()
    }
}
