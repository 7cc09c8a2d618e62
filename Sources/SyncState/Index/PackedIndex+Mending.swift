/// Detecting rot in a tree. Its content is derived, so its owner can derive it again.
extension PackedIndex {
    /// Whether each leaf is there, is as it was written, and holds only keys it is responsible for.
    package func isSound() throws -> Bool {
        let directory = try database.prepare(
            """
            SELECT low, count, entries, sum FROM packed_directory LEFT JOIN packed_leaf ON packed_leaf.id = leaf
            WHERE tree = ?1 ORDER BY low
            """)
        directory.bind(1, tree)
        defer { directory.reset() }
        var isFirst = true
        var entries: Int64 = 0
        var last: [UInt8] = []
        while try directory.step() {
            let low = directory.blob(0)
            let count = directory.int(1)
            guard low.isEmpty == isFirst, isFirst || low.count == layout.keyBytes,
                (0...Int64(layout.capacity)).contains(count), !directory.isNull(2)
            else { return false }
            let sum = directory.optionalInt(3)
            let isSound = directory.withBlob(2) { image in
                image.count == Limits.leafBytes && (sum == nil || sum == LeafSum.of(image))
                    && areOrdered(image, Int(count), low: low, after: &last)
            }
            guard isSound else { return false }
            isFirst = false
            entries += count
        }
        return try database.prepare("SELECT entries FROM packed_tree WHERE id = ?").number(tree) == entries
    }

    /// Whether keys ascend, starting at `low` and above the last key of the leaf before.
    private func areOrdered(_ image: UnsafeRawBufferPointer, _ count: Int, low: [UInt8], after last: inout [UInt8])
        -> Bool
    {
        guard count > 0, let base = image.baseAddress else { return true }
        let width = layout.entryBytes
        // An empty bound is not a key, so there is nothing to compare with.
        let isAbove = low.isEmpty || low.withUnsafeBytes { low in isBelow(low, base, orEqual: true) }
        let isBehind = last.isEmpty || last.withUnsafeBytes { last in isBelow(last, base, orEqual: false) }
        guard isAbove, isBehind else { return false }
        for number in 1..<max(1, count)
        where layout.compare(base + (number - 1) * width, base + number * width) >= 0 {
            return false
        }
        last = [UInt8](UnsafeRawBufferPointer(start: base + (count - 1) * width, count: layout.keyBytes))
        return true
    }

    private func isBelow(_ key: UnsafeRawBufferPointer, _ other: UnsafeRawPointer, orEqual: Bool) -> Bool {
        guard let key = key.baseAddress else { return false }
        return layout.compare(key, other) < (orEqual ? 1 : 0)
    }

    /// Removes all entries.
    package func removeAll() throws {
        let leaves = try database.prepare(
            "DELETE FROM packed_leaf WHERE id IN (SELECT leaf FROM packed_directory WHERE tree = ?1)")
        let directory = try database.prepare("DELETE FROM packed_directory WHERE tree = ?1")
        let count = try database.prepare("DELETE FROM packed_tree WHERE id = ?1")
        for statement in [leaves, directory, count] { try statement.run(tree) }
    }
}
