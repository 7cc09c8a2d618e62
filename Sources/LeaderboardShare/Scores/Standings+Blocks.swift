import Ledger
import NodeCore

/// Exporting and restoring standings by blocks.
extension Standings {
    /// A block of a member's results of a game; nil if there is none.
    func block(_ number: Int32, member: MemberID, game: GameID) -> ScoreColumn.Block? {
        blocks(member: member, game: game).first { $0.number == number }
    }

    /// Ascending.
    func blocks(member: MemberID, game: GameID) -> [ScoreColumn.Block] {
        guard let number = numbers[member], let place = places[game] else { return [] }
        return columns[number][place].blocks
    }

    /// The blocks without who won, which depends on the others.
    func results(member: MemberID, game: GameID) -> [ScoreColumn.Block] {
        blocks(member: member, game: game).compactMap { block in
            guard block.played != 0 else { return nil }
            var block = block
            block.won = 0
            return block
        }
    }

    /// Inserts a block after the earlier ones of the same member and game. Call `findWinners` when all blocks are
    /// inserted.
    mutating func insert(_ block: ScoreColumn.Block, member: MemberID, game: GameID) {
        guard let place = places[game] else { return }
        columns[number(of: member)][place].append(block)
    }

    /// Determines the winners of all days from the results.
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

    /// Switches to another catalogue. Results stay with their games; results of games whose rule changed must be put
    /// again.
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
