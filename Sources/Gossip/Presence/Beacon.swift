/// A decoded beacon: what a stranger sees of it, and the entries among which members look for their tags.
struct Beacon: Hashable, Sendable {
    /// Who speaks, how often under this name, and where it accepts sessions.
    struct Header: Hashable, Sendable {
        let id: BeaconID
        /// 1 for the first beacon of an id, higher with each.
        let counter: UInt64
        /// TCP port.
        let port: UInt16
    }

    /// One zone, or filler: nobody without the zone's key can tell.
    struct Entry: Hashable, Comparable, Sendable {
        let tag: UInt64
        let check: UInt64

        static func < (left: Entry, right: Entry) -> Bool {
            (left.tag, left.check) < (right.tag, right.check)
        }
    }

    let header: Header
    /// Ascending, so that a tag is found by halving.
    let entries: [Entry]

    /// The checks given for a tag: none if the sender is not in that zone, one otherwise.
    func checks(tag: UInt64) -> [UInt64] {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].tag < tag { low = middle + 1 } else { high = middle }
        }
        return entries[low...].prefix { $0.tag == tag }.map(\.check)
    }
}
