/// Makes up the text of a help channel: few words very often, many words rarely, lines of realistic lengths.
struct SampleTalk {
    /// Bytes of a line at given ranks of real chat, from the shortest to the longest.
    private static let lengths: [(rank: Double, bytes: Double)] = [
        (0, 1), (0.1, 7), (0.25, 19), (0.5, 37), (0.75, 64), (0.9, 99), (0.99, 212), (1, 448),
    ]

    private static let common = """
        the to a i it you is and in that for on have do of can but my with not this if be get just are what \
        so was know how no there me ok or from i'm don't it's like use at any your will when all thanks as \
        an then yes install system one need up try out has yeah some now about think does work would using \
        anyone problem here want good which where why file see that's run also well linux windows more only \
        by should they time new hi make after machine kernel am help got root driver server them did version \
        package apt-get could oh hello because works into sure same still something right find working \
        really than too been default config other boot back list everything desktop card set thing screen \
        gnome who tried ask go sudo maybe before never way add very question nice error read again command \
        since change system user hmm people first update other's ever lol said sound network disk mount \
        partition reboot window mouse video firefox terminal folder password login log link page remove \
        check look wait cool sorry please mean running open start stop press type done fine old big
        """.split(separator: " ").map(String.init)

    private static let syllables = """
        ba be bi bo bu ca ce co da de di do el en er fa fi fo ga ge go ha hi ho in ja ka ke ki ko la le li lo ma me mi \
        mo na ne ni no or pa pe pi po ra re ri ro sa se si so ta te ti to un va ve vi vo wa wi xa ya yo za ze zo
        """.split(separator: " ").map(String.init)

    /// Words by decreasing frequency: common ones, then a long tail of made-up ones (names, typing errors, commands).
    private let words: [String]
    /// The sum of 1/rank up to each word (Zipf's law), for drawing by binary search.
    private let weights: [Double]

    init(random: inout SampleRandom, tail: Int = 12_000) {
        var words = Self.common
        for _ in 0..<tail { words.append(Self.name(&random)) }
        var sum = 0.0
        weights = words.indices.map { rank in
            sum += 1 / Double(rank + 3)
            return sum
        }
        self.words = words
    }

    func line(_ random: inout SampleRandom) -> String {
        let target = Self.length(random.unit())
        var line = word(&random)
        while line.utf8.count < target { line += (random.below(12) == 0 ? ", " : " ") + word(&random) }
        if line.utf8.count > target { line = String(decoding: line.utf8.prefix(max(target, 1)), as: UTF8.self) }
        if line.last == " " { line.removeLast() }
        return random.below(5) == 0 ? line + "?" : line
    }

    /// A nickname of 2 to 4 syllables, sometimes with digits.
    static func name(_ random: inout SampleRandom) -> String {
        var name = ""
        for _ in 0..<(2 + random.below(3)) { name += syllables[random.below(syllables.count)] }
        return random.below(6) == 0 ? name + String(random.below(100)) : name
    }

    private func word(_ random: inout SampleRandom) -> String {
        let target = random.unit() * (weights.last ?? 0)
        var low = 0
        var high = weights.count - 1
        while low < high {
            let middle = (low + high) / 2
            if weights[middle] < target { low = middle + 1 } else { high = middle }
        }
        return words[low]
    }

    /// Linear interpolation between the given ranks.
    private static func length(_ rank: Double) -> Int {
        for (lower, upper) in zip(lengths, lengths.dropFirst()) where rank <= upper.rank {
            let part = (rank - lower.rank) / (upper.rank - lower.rank)
            return Int(lower.bytes + part * (upper.bytes - lower.bytes))
        }
        return Int(lengths[lengths.count - 1].bytes)
    }
}
