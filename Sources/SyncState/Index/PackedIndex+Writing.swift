extension PackedIndex {
    /// Merges entries into the tree.
    ///
    /// - Parameters:
    ///   - batch: concatenated entries, in strictly ascending order of keys.
    ///   - onDuplicate: asked for each key already held, with the held entry and the new one; it must not use the
    ///     index.
    /// - Returns: how many entries were added; duplicates are not counted.
    @discardableResult
    package func insert(
        _ batch: UnsafeRawBufferPointer,
        onDuplicate: (_ held: UnsafeRawPointer, _ given: UnsafeRawPointer) -> Duplicate = { _, _ in .replace }
    ) throws -> Int {
        let width = layout.entryBytes
        precondition(batch.count % width == 0, "invariant: a batch has whole entries")
        guard let base = batch.baseAddress, !batch.isEmpty else { return 0 }
        let all = batch.count / width
        var position = 0
        var added = 0
        while position < all {
            let key = UnsafeRawBufferPointer(start: base + position * width, count: layout.keyBytes)
            let leaf = try leaf(for: key) ?? Leaf(low: [], row: 0, count: 0)
            let next = try self.leaf(after: leaf.low)?.low
            let end = next.map { bound in
                bound.withUnsafeBytes { bound in
                    // invariant: a bound inside the tree is a whole key, so there is a base address.
                    layout.lowerBound(of: bound.baseAddress!, in: base, position..<all, stride: width)
                }
            }
            let part = UnsafeRawBufferPointer(
                start: base + position * width, count: ((end ?? all) - position) * width)
            added += try merge(part, into: leaf, onDuplicate)
            position = end ?? all
        }
        try grow(by: added)
        return added
    }

    /// As above, for an array.
    @discardableResult
    package func insert(
        _ batch: [UInt8],
        onDuplicate: (_ held: UnsafeRawPointer, _ given: UnsafeRawPointer) -> Duplicate = { _, _ in .replace }
    ) throws -> Int {
        try batch.withUnsafeBytes { try insert($0, onDuplicate: onDuplicate) }
    }

    private func merge(
        _ part: UnsafeRawBufferPointer, into leaf: Leaf,
        _ onDuplicate: (UnsafeRawPointer, UnsafeRawPointer) -> Duplicate
    ) throws -> Int {
        let width = layout.entryBytes
        let coming = part.count / width
        // Room for the merged entries, and for a whole leaf image starting at any of them.
        let room = part.count + leaf.count * width + Limits.leafBytes
        if merged.count < room { merged = [UInt8](repeating: 0, count: room) }
        // Moved out of the object while it is written through a pointer, so that accesses cannot overlap.
        var output: [UInt8] = []
        swap(&output, &merged)
        defer { swap(&output, &merged) }

        let rot = leaf.row == 0 ? 0 : try rot(of: leaf)
        var shape = MergeShape(total: coming, added: coming, isAppended: true, isPrepended: false)
        if leaf.count > 0, let given = part.baseAddress {
            shape = try withEntries(of: leaf) { held in
                output.withUnsafeMutableBytes { output in
                    // invariant: not empty, it has room for a leaf.
                    let start = output.baseAddress!
                    return mergeEntries(
                        held: held, leaf.count, given: given, coming, into: start, onDuplicate)
                }
            }
        } else {
            output.withUnsafeMutableBytes { $0.copyMemory(from: part) }
        }
        if leaf.row == 0 || shape.total > layout.capacity {
            try split(leaf, shape, &output, rot: rot)
        } else {
            try storeImage(of: leaf, count: shape.total, &output, rot: rot)
        }
        return shape.added
    }

    private func storeImage(of leaf: Leaf, count: Int, _ output: inout [UInt8], rot: Int64) throws {
        let used = count * layout.entryBytes
        output.withUnsafeMutableBytes { output in
            _ = output[used..<Limits.leafBytes].initializeMemory(as: UInt8.self, repeating: 0)
        }
        try output.withUnsafeBytes { output in
            try store(
                leaf, count: count, image: UnsafeRawBufferPointer(rebasing: output[..<Limits.leafBytes]), rot: rot)
        }
    }

    /// Spreads entries that do not fit one leaf, or the first entries of a tree, over several leaves.
    private func split(_ leaf: Leaf, _ shape: MergeShape, _ output: inout [UInt8], rot: Int64) throws {
        let width = layout.entryBytes
        var image = [UInt8](repeating: 0, count: Limits.leafBytes)
        var start = 0
        for (number, count) in shape.parts(capacity: layout.capacity).enumerated() {
            let from = start * width
            let used = count * width
            image.withUnsafeMutableBytes { image in
                output.withUnsafeBytes { output in
                    image.copyMemory(from: UnsafeRawBufferPointer(rebasing: output[from..<from + used]))
                }
                _ = image[used...].initializeMemory(as: UInt8.self, repeating: 0)
            }
            let low = number == 0 ? leaf.low : [UInt8](output[from..<from + layout.keyBytes])
            try image.withUnsafeBytes { image in
                if number == 0 && leaf.row != 0 {
                    try store(leaf, count: count, image: image, rot: rot)
                } else {
                    try add(low: low, count: count, image: image, rot: rot)
                }
            }
            start += count
        }
    }

    private func mergeEntries(
        held: UnsafeRawPointer, _ heldCount: Int, given: UnsafeRawPointer, _ givenCount: Int,
        into output: UnsafeMutableRawPointer, _ onDuplicate: (UnsafeRawPointer, UnsafeRawPointer) -> Duplicate
    ) -> MergeShape {
        let width = layout.entryBytes
        var target = output
        var taken = 0
        var duplicates = 0
        var isPrepended = false
        var isAppended = false
        for number in 0..<givenCount {
            let entry = given + number * width
            let next = layout.lowerBound(of: entry, in: held, taken..<heldCount, stride: width)
            if next > taken {
                let run = (next - taken) * width
                target.copyMemory(from: held + taken * width, byteCount: run)
                target += run
                taken = next
            }
            if number == 0 { isAppended = taken == heldCount }
            if number == givenCount - 1 { isPrepended = taken == 0 }
            if taken < heldCount, layout.compare(held + taken * width, entry) == 0 {
                let choice = onDuplicate(held + taken * width, entry)
                target.copyMemory(from: choice == .keep ? held + taken * width : entry, byteCount: width)
                taken += 1
                duplicates += 1
            } else {
                target.copyMemory(from: entry, byteCount: width)
            }
            target += width
        }
        target.copyMemory(from: held + taken * width, byteCount: (heldCount - taken) * width)
        let added = givenCount - duplicates
        return MergeShape(
            total: heldCount + added, added: added, isAppended: isAppended, isPrepended: isPrepended)
    }

    /// Removes entries.
    ///
    /// - Parameter keys: concatenated keys in strictly ascending order; those not held are ignored.
    /// - Returns: how many entries were removed.
    @discardableResult
    package func remove(_ keys: [UInt8]) throws -> Int {
        precondition(keys.count % layout.keyBytes == 0, "invariant: whole keys")
        return try keys.withUnsafeBytes { try remove($0) }
    }

    private func remove(_ keys: UnsafeRawBufferPointer) throws -> Int {
        guard let base = keys.baseAddress else { return 0 }
        let all = keys.count / layout.keyBytes
        var position = 0
        var removed = 0
        while position < all {
            let start = base + position * layout.keyBytes
            guard let leaf = try leaf(for: UnsafeRawBufferPointer(start: start, count: layout.keyBytes)) else { break }
            let next = try self.leaf(after: leaf.low)
            let end =
                next.map { next in
                    next.low.withUnsafeBytes { bound in
                        // invariant: a bound inside the tree is a whole key, so there is a base address.
                        let bound = bound.baseAddress!
                        return layout.lowerBound(
                            of: bound, in: base, position..<all, stride: layout.keyBytes)
                    }
                } ?? all
            removed += try remove(start, end - position, from: leaf, next)
            position = end
        }
        try grow(by: -removed)
        return removed
    }

    private func remove(
        _ keys: UnsafeRawPointer, _ keyCount: Int, from leaf: Leaf, _ next: Leaf?
    ) throws -> Int {
        let width = layout.entryBytes
        var kept = try entries(of: leaf)
        var rot = try rot(of: leaf)
        var count = 0
        kept.withUnsafeMutableBytes { entries in
            guard let base = entries.baseAddress else { return }
            var key = 0
            for number in 0..<leaf.count {
                let entry = base + number * width
                while key < keyCount, layout.compare(keys + key * layout.keyBytes, entry) < 0 { key += 1 }
                if key < keyCount, layout.compare(keys + key * layout.keyBytes, entry) == 0 { continue }
                if count != number { (base + count * width).copyMemory(from: entry, byteCount: width) }
                count += 1
            }
        }
        let removed = leaf.count - count
        guard removed > 0 else { return 0 }
        kept.removeLast(kept.count - count * width)
        // Merges small neighbours into one leaf; half of it stays free, so that the next entries do not split it again.
        if let next, count + next.count <= layout.capacity / 2 {
            kept += try entries(of: next)
            rot = rot == 0 ? try self.rot(of: next) : rot
            count += next.count
            try drop(next)
        } else if count == 0, !leaf.low.isEmpty {
            // The leaf before takes over responsibility for its keys.
            try drop(leaf)
            return removed
        }
        kept += [UInt8](repeating: 0, count: Limits.leafBytes - kept.count)
        try kept.withUnsafeBytes { image in try store(leaf, count: count, image: image, rot: rot) }
        return removed
    }
}

/// The result of merging into a leaf, and how to spread it if it does not fit.
struct MergeShape {
    var total: Int
    var added: Int
    /// Everything new comes after everything held, as when history grows.
    var isAppended: Bool
    /// Everything new comes before everything held, as when history is fetched newest first.
    var isPrepended: Bool

    /// Entry counts of the leaves to make, in order.
    ///
    /// If entries arrive in order, the leaves behind the last are filled completely, since nothing more goes there;
    /// otherwise entries are spread evenly, so that each leaf has room for later ones.
    func parts(capacity: Int) -> [Int] {
        let leaves = max(1, (total + capacity - 1) / capacity)
        if isAppended || isPrepended {
            var parts = [Int](repeating: capacity, count: leaves - 1)
            parts.insert(total - capacity * (leaves - 1), at: isAppended ? leaves - 1 : 0)
            return parts
        }
        return (0..<leaves).map { total * ($0 + 1) / leaves - total * $0 / leaves }
    }
}
