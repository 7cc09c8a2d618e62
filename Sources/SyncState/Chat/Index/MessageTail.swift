import NodeCore

/// Entries that are not in the trees yet, in memory; found by hash without being sorted.
struct MessageTail {
    private(set) var entries: [MessageEntry] = []
    /// The newest entry of each hash, for the entries that were linked. Built when first asked: a restore never asks.
    private var heads: [UInt64: Int32] = [:]
    /// The entry before of the same hash; -1 if none.
    private var links: [Int32] = []
    private(set) var dead: Set<Int> = []

    var count: Int { entries.count - dead.count }
    var isFull: Bool { entries.count >= Limits.indexTail }

    mutating func append(_ entry: MessageEntry) { entries.append(entry) }

    /// Drops entries from the end; none of them was asked for.
    mutating func truncate(to count: Int) {
        precondition(links.count <= count, "invariant: only entries that nobody has asked for are taken back")
        entries.removeLast(entries.count - count)
    }

    /// Empties the tail. A large one that filled up keeps its memory for the next.
    mutating func removeAll() {
        entries.removeAll(keepingCapacity: isFull)
        heads = [:]
        links = []
        dead = []
    }

    /// Entries with this hash and txid prefix, newest first.
    ///
    /// A keyed hash and eight bytes of the txid together are taken for the txid.
    mutating func place(hash: UInt64, prefix: UInt64) -> Int? {
        link()
        var next = heads[hash] ?? -1
        while next >= 0 {
            let place = Int(next)
            if entries[place].key.prefix == prefix, !dead.contains(place) { return place }
            next = links[place]
        }
        return nil
    }

    private mutating func link() {
        while links.count < entries.count {
            let place = links.count
            links.append(heads[entries[place].hash] ?? -1)
            heads[entries[place].hash] = Int32(place)
        }
    }

    /// Points an entry elsewhere.
    mutating func move(_ place: Int, to location: MessageLocation) {
        entries[place].location = location
        entries[place].key.location = location
    }

    /// Takes an entry out.
    mutating func kill(_ place: Int) { dead.insert(place) }

    /// The place of the entry of a queue row with this hash.
    mutating func place(hash: UInt64, location: MessageLocation) -> Int? {
        link()
        var next = heads[hash] ?? -1
        while next >= 0 {
            let place = Int(next)
            if entries[place].location == location, !dead.contains(place) { return place }
            next = links[place]
        }
        return nil
    }
}
