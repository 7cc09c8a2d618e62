import NodeCore

/// Entries not yet in the trees, in memory; found by hash without sorting.
struct MessageTail {
    private(set) var entries: [MessageEntry] = []
    /// The newest entry of each hash, for entries that were linked. Built on first use: a restore never needs it.
    private var heads: [UInt64: Int32] = [:]
    /// The previous entry with the same hash; -1 if none.
    private var links: [Int32] = []
    private(set) var dead: Set<Int> = []

    /// Entries that only give a new location of a message already listed in the trees.
    private var moves = 0

    var count: Int { entries.count - dead.count }
    /// The number of messages beyond those in the trees, as far as known.
    var newMessages: Int { max(0, count - moves) }
    var isFull: Bool { entries.count >= Limits.indexTail }

    mutating func append(_ entry: MessageEntry, isMove: Bool = false) {
        entries.append(entry)
        if isMove { moves += 1 }
    }

    /// Drops entries from the end. None of them may have been looked up.
    mutating func truncate(to count: Int) {
        precondition(links.count <= count, "invariant: only entries that nobody has asked for are taken back")
        entries.removeLast(entries.count - count)
    }

    /// Hashes and places of the living entries as single words, ascending: 46 bits of hash, 18 of place.
    func hashesSorted() -> [UInt64] {
        precondition(entries.count < 1 << Self.placeBits, "invariant: the tail is flushed before it is full")
        var words: [UInt64] = []
        words.reserveCapacity(entries.count)
        for (place, entry) in entries.enumerated() where !dead.contains(place) {
            words.append(entry.hash << Self.placeBits | UInt64(place))
        }
        words.sort()
        return words
    }

    private static let placeBits: UInt64 = 18

    static func place(of word: UInt64) -> Int { Int(word & (1 << placeBits - 1)) }
    static func hash(of word: UInt64) -> UInt64 { word >> placeBits }

    /// Places of the living entries that are `wanted`, by key, ascending. Sorting the entries themselves would take the
    /// memory of half of them.
    func placesByKey(where wanted: (Int, MessageEntry) -> Bool) -> [Int32] {
        var places: [Int32] = []
        places.reserveCapacity(entries.count)
        for (place, entry) in entries.enumerated() where !dead.contains(place) && wanted(place, entry) {
            places.append(Int32(place))
        }
        entries.withUnsafeBufferPointer { entries in
            places.sort { entries[Int($0)].key < entries[Int($1)].key }
        }
        return places
    }

    /// Empties the tail. If it was full, it keeps its memory for the next one.
    mutating func removeAll() {
        entries.removeAll(keepingCapacity: isFull)
        heads = [:]
        links = []
        dead = []
        moves = 0
    }

    /// Places of the entries with this hash and txid prefix, newest first.
    ///
    /// A keyed hash and eight bytes of the txid together are taken as unique.
    mutating func places(hash: UInt64, prefix: UInt64) -> [Int] {
        places(hash: hash) { $0.key.prefix == prefix }
    }

    /// The place of the entry for a queue row with this hash.
    mutating func place(hash: UInt64, location: MessageLocation) -> Int? {
        places(hash: hash) { $0.location == location }.first
    }

    @inline(__always)
    private mutating func places(hash: UInt64, where isWanted: (MessageEntry) -> Bool) -> [Int] {
        link()
        var found: [Int] = []
        var next = heads[hash] ?? -1
        while next >= 0 {
            let place = Int(next)
            if isWanted(entries[place]), !dead.contains(place) { found.append(place) }
            next = links[place]
        }
        return found
    }

    private mutating func link() {
        while links.count < entries.count {
            let place = links.count
            links.append(heads[entries[place].hash] ?? -1)
            heads[entries[place].hash] = Int32(place)
        }
    }

    /// Changes an entry's location.
    mutating func move(_ place: Int, to location: MessageLocation) {
        entries[place].key.location = location
    }

    /// Removes an entry.
    mutating func kill(_ place: Int) { dead.insert(place) }

    /// Removes the entries of a segment.
    ///
    /// - Returns: whether there were any.
    mutating func kill(segment arrivalID: UInt64) -> Bool {
        let held = count
        for (place, entry) in entries.enumerated() where !entry.location.isQueued && entry.location.id == arrivalID {
            dead.insert(place)
        }
        return count < held
    }
}
