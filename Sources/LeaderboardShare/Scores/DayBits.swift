import NodeCore

/// A set of days as bits, sixty-four per word: streaks are runs of ones.
struct DayBits: Sendable {
    /// Ascending, each with at least one bit; word n holds the days from 64 n on.
    private(set) var words: [(number: Int32, bits: UInt64)] = []

    static func split(_ day: Day) -> (word: Int32, bit: Int) { (day.number >> 6, Int(day.number & 63)) }

    /// Words must come in ascending order; the last one may be repeated.
    mutating func merge(_ number: Int32, _ bits: UInt64) {
        guard bits != 0 else { return }
        if let last = words.last, last.number == number {
            words[words.count - 1].bits |= bits
        } else {
            words.append((number, bits))
        }
    }

    /// The length of the longest run of days.
    var longestRun: Int {
        var best = 0
        var open = 0
        var previous: Int32?
        for (number, bits) in words {
            if previous.map({ $0 + 1 }) != number { open = 0 }
            previous = number
            (best, open) = Self.scan(bits, best, open)
        }
        return best
    }

    /// Continues a run of `open` days that ended just before this word.
    private static func scan(_ bits: UInt64, _ best: Int, _ open: Int) -> (best: Int, open: Int) {
        if bits == .max { return (max(best, open + 64), open + 64) }
        var best = max(best, open + (~bits).trailingZeroBitCount)
        var rest = bits
        var place = 0
        while rest != 0 {
            let zeros = rest.trailingZeroBitCount
            rest >>= UInt64(zeros)
            let ones = (~rest).trailingZeroBitCount
            best = max(best, ones)
            place += zeros + ones
            rest = ones == 64 ? 0 : rest >> UInt64(ones)
        }
        return (best, (~bits).leadingZeroBitCount)
    }

    /// The number of consecutive days ending with this one; 0 if it is not in the set.
    func run(endingAt day: Day) -> Int {
        let (number, bit) = Self.split(day)
        guard var index = words.lastIndex(where: { $0.number == number }) else { return 0 }
        // Shifts out the days after this one.
        var run = (~(words[index].bits << UInt64(63 - bit))).leadingZeroBitCount
        guard run > bit else { return run }
        run = bit + 1
        while index > 0, words[index - 1].number + 1 == words[index].number {
            index -= 1
            let ones = (~words[index].bits).leadingZeroBitCount
            run += ones
            if ones < 64 { break }
        }
        return run
    }
}
