package import NodeCore

/// A set of record hashes, such as the ones that a taking keeps: ascending, without repetition.
package struct NameSet: Hashable, Sendable {
    package private(set) var sorted: [RecordHash]

    package static let empty = NameSet([])

    package init(_ hashes: some Sequence<RecordHash>) {
        sorted = hashes.sorted()
        removeRepetitions()
    }

    /// Reads the output of `encoded`: concatenated hashes, ascending; nil for anything else.
    package init?(encoded: [UInt8]) {
        let size = RecordHash.byteCount
        guard encoded.count % size == 0, encoded.count / size <= Limits.names else { return nil }
        var hashes: [RecordHash] = []
        hashes.reserveCapacity(encoded.count / size)
        for start in stride(from: 0, to: encoded.count, by: size) {
            guard let hash = RecordHash(bytes: encoded[start..<start + size]) else { return nil }
            if let last = hashes.last, last >= hash { return nil }
            hashes.append(hash)
        }
        sorted = hashes
    }

    package var encoded: [UInt8] { sorted.flatMap(\.bytes) }

    package var count: Int { sorted.count }
    package var isEmpty: Bool { sorted.isEmpty }

    package func contains(_ hash: RecordHash) -> Bool {
        var low = 0
        var high = sorted.count
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] < hash { low = middle + 1 } else { high = middle }
        }
        return low < sorted.count && sorted[low] == hash
    }

    package func isSubset(of other: NameSet) -> Bool { sorted.allSatisfy(other.contains) }

    package func intersection(_ other: NameSet) -> NameSet { NameSet(sorted.filter(other.contains)) }

    /// The union of all sets, sorted once: linear in the input, apart from a logarithm.
    package static func union(_ sets: [NameSet]) -> NameSet {
        sets.count == 1 ? sets[0] : NameSet(sets.flatMap(\.sorted))
    }

    private mutating func removeRepetitions() {
        var kept = 0
        for index in sorted.indices where index == 0 || sorted[index] != sorted[kept - 1] {
            sorted[kept] = sorted[index]
            kept += 1
        }
        sorted.removeLast(sorted.count - kept)
    }
}
