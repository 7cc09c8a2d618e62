import NodeCore

/// One member's results of one game: blocks of sixty-four days, each with its sums, so that the cost of a period
/// depends on its blocks.
///
/// A block exists only if it contains a result: a member that posts absurd dates must write a record for each.
struct ScoreColumn: Sendable {
    struct Block: Equatable, Sendable {
        let number: Int32
        var played: UInt64 = 0
        var completed: UInt64 = 0
        var won: UInt64 = 0
        var late: UInt64 = 0
        var imported: UInt64 = 0
        var points: UInt32 = 0
        /// The sum of completed results.
        var scores: UInt64 = 0
        var cellScores = [UInt32](repeating: 0, count: 64)
        var cellPoints = [UInt8](repeating: 0, count: 64)
    }

    struct Totals: Sendable {
        var points: UInt64 = 0
        var scores: UInt64 = 0
        var played = 0
        var completed = 0
        var won = 0
        var late = 0

        static func + (one: Totals, other: Totals) -> Totals {
            Totals(
                points: one.points + other.points, scores: one.scores + other.scores,
                played: one.played + other.played, completed: one.completed + other.completed,
                won: one.won + other.won, late: one.late + other.late)
        }
    }

    /// Ascending.
    private(set) var blocks: [Block] = []

    /// The index of the block with this number, or where it would be inserted.
    private func place(_ number: Int32) -> Int {
        if let last = blocks.last, last.number < number { return blocks.count }
        return blocks.partitioningIndex { $0.number >= number }
    }

    private func index(_ day: Day) -> Int? {
        let number = DayBits.split(day).word
        let index = place(number)
        return index < blocks.count && blocks[index].number == number ? index : nil
    }

    mutating func set(_ day: Day, score: UInt32?, points: UInt32, _ arrival: ScoreArrival) {
        clear(day)
        let (number, bit) = DayBits.split(day)
        let index = place(number)
        if index == blocks.count || blocks[index].number != number {
            blocks.insert(Block(number: number), at: index)
        }
        let mask = UInt64(1) << UInt64(bit)
        blocks[index].played |= mask
        switch arrival {
        case .inTime: break
        case .late: blocks[index].late |= mask
        case .imported: blocks[index].imported |= mask
        }
        let held = UInt8(clamping: points)
        blocks[index].points += UInt32(held)
        blocks[index].cellPoints[bit] = held
        guard let score else { return }
        blocks[index].completed |= mask
        blocks[index].scores += UInt64(score)
        blocks[index].cellScores[bit] = score
    }

    mutating func clear(_ day: Day) {
        guard let index = index(day) else { return }
        let bit = DayBits.split(day).bit
        let mask = UInt64(1) << UInt64(bit)
        guard blocks[index].played & mask != 0 else { return }
        blocks[index].points -= UInt32(blocks[index].cellPoints[bit])
        blocks[index].scores -= UInt64(blocks[index].cellScores[bit])
        blocks[index].cellPoints[bit] = 0
        blocks[index].cellScores[bit] = 0
        blocks[index].played &= ~mask
        blocks[index].completed &= ~mask
        blocks[index].won &= ~mask
        blocks[index].late &= ~mask
        blocks[index].imported &= ~mask
        if blocks[index].played == 0 { blocks.remove(at: index) }
    }

    /// Appends a block, which must come after all others.
    mutating func append(_ block: Block) {
        guard blocks.last.map({ $0.number < block.number }) ?? true else { return }
        blocks.append(block)
    }

    mutating func forgetWinners() {
        for index in blocks.indices { blocks[index].won = 0 }
    }

    mutating func setWon(_ day: Day, _ isWon: Bool) {
        guard let index = index(day) else { return }
        let mask = UInt64(1) << UInt64(DayBits.split(day).bit)
        if isWon { blocks[index].won |= mask } else { blocks[index].won &= ~mask }
    }

    /// The result of a day; nil if there is none. It has a score only if it was completed.
    func result(_ day: Day) -> (score: UInt32?, points: UInt32, arrival: ScoreArrival, isWon: Bool)? {
        guard let index = index(day) else { return nil }
        let block = blocks[index]
        let bit = DayBits.split(day).bit
        let mask = UInt64(1) << UInt64(bit)
        guard block.played & mask != 0 else { return nil }
        let score = block.completed & mask == 0 ? nil : block.cellScores[bit]
        let arrival: ScoreArrival =
            block.late & mask != 0 ? .late : block.imported & mask != 0 ? .imported : .inTime
        return (score, UInt32(block.cellPoints[bit]), arrival, block.won & mask != 0)
    }

    /// The latest of these days with a result.
    func lastPlayed(in days: ClosedRange<Day>) -> Day? {
        for block in blocks.reversed() where block.number <= DayBits.split(days.upperBound).word {
            let played = block.played & Self.mask(block.number, days)
            if played != 0 { return Day(number: Int(block.number) << 6 + 63 - played.leadingZeroBitCount) }
        }
        return nil
    }

    /// Adds the results of these days to `totals`: whole blocks by their sums, the two at the ends day by day.
    func add(_ days: ClosedRange<Day>, to totals: inout Totals) {
        var index = place(DayBits.split(days.lowerBound).word)
        while index < blocks.count, blocks[index].number <= DayBits.split(days.upperBound).word {
            blocks[index].add(Self.mask(blocks[index].number, days), to: &totals)
            index += 1
        }
    }

    /// The bits of a block that belong to the days.
    static func mask(_ number: Int32, _ days: ClosedRange<Day>) -> UInt64 {
        let first = Int(number) << 6
        let low = max(0, Int(days.lowerBound.number) - first)
        let high = min(63, Int(days.upperBound.number) - first)
        guard low <= high else { return 0 }
        return UInt64.max << UInt64(low) & UInt64.max >> UInt64(63 - high)
    }
}

extension ScoreColumn.Block {
    func add(_ mask: UInt64, to totals: inout ScoreColumn.Totals) {
        totals.played += (played & mask).nonzeroBitCount
        totals.completed += (completed & mask).nonzeroBitCount
        totals.won += (won & mask).nonzeroBitCount
        totals.late += (late & mask).nonzeroBitCount
        if played & ~mask == 0 {
            totals.points += UInt64(points)
            totals.scores += scores
            return
        }
        var rest = played & mask
        while rest != 0 {
            let bit = rest.trailingZeroBitCount
            totals.points += UInt64(cellPoints[bit])
            totals.scores += UInt64(cellScores[bit])
            rest &= rest - 1
        }
    }
}
