extension PackedIndex {
    /// The value of `key`; nil if it is not held.
    package func find(_ key: [UInt8]) throws -> [UInt8]? {
        try key.withUnsafeBytes { key in
            try find(key) { [UInt8]($0) }
        }
    }

    /// Passes the value of `key` to `body`; nil if it is not held. `body` must not use the index.
    package func find<T>(
        _ key: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> T
    ) throws -> T? {
        precondition(key.count == layout.keyBytes, "invariant: a whole key")
        guard let start = key.baseAddress, let leaf = try leaf(for: key) else { return nil }
        let width = layout.entryBytes
        return try withEntries(of: leaf) { entries in
            let number = lowerBound(of: start, in: entries, leaf.count)
            guard number < leaf.count, layout.compare(entries + number * width, start) == 0 else { return nil }
            return body(
                UnsafeRawBufferPointer(
                    start: entries + number * width + layout.keyBytes, count: layout.valueBytes))
        }
    }

    /// Passes entries in order to `body` until it returns false. `body` may use the index, but not change this tree.
    ///
    /// - Parameters:
    ///   - start: the key to begin with, or the nearest beyond it; nil begins at the first entry of the order.
    package func scan(
        from start: [UInt8]? = nil, descending: Bool = false, _ body: (UnsafeRawPointer) throws -> Bool
    ) throws {
        // Above every key, since it is longer than any.
        let bound = start ?? (descending ? [UInt8](repeating: 0xff, count: layout.keyBytes + 1) : [])
        guard var leaf = try bound.withUnsafeBytes({ try self.leaf(for: $0) }) else { return }
        var isFirst = true
        let width = layout.entryBytes
        while true {
            let entries = try entries(of: leaf)
            let count = leaf.count
            let goesOn = try entries.withUnsafeBytes { entries -> Bool in
                guard let base = entries.baseAddress else { return true }
                var number = descending ? count - 1 : 0
                if isFirst, let start {
                    number = start.withUnsafeBytes { key in
                        guard let key = key.baseAddress else { return number }
                        let found = lowerBound(of: key, in: base, count)
                        let isHeld = found < count && layout.compare(base + found * width, key) == 0
                        return descending && !isHeld ? found - 1 : found
                    }
                }
                while number >= 0, number < count {
                    guard try body(base + number * width) else { return false }
                    number += descending ? -1 : 1
                }
                return true
            }
            isFirst = false
            guard goesOn, let next = try descending ? self.leaf(before: leaf.low) : self.leaf(after: leaf.low) else {
                return
            }
            leaf = next
        }
    }

    /// Plain binary search, for one key anywhere in the leaf.
    private func lowerBound(of key: UnsafeRawPointer, in entries: UnsafeRawPointer, _ count: Int) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = low + (high - low) / 2
            if layout.compare(entries + middle * layout.entryBytes, key) < 0 {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}
