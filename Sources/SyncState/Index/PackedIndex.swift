import CSQLite

/// An ordered map from keys to values of fixed widths, kept as sorted packed leaves in SQLite rows.
///
/// A table with one row per entry dirties one page for nearly every random key, whatever the batch. Here a sorted batch
/// is merged leaf by leaf, and an entry costs tens of nanoseconds. So writers collect, sort and insert tens of
/// thousands at once. Several trees share the two tables; each is a separate map.
///
/// A leaf is responsible for the keys from its `low` bound up to the next leaf's. The first leaf's bound is the empty
/// string. `docs/STORAGE.md` describes the tables.
package final class PackedIndex {
    /// How to handle an entry whose key is already held.
    package enum Duplicate {
        case keep
        case replace
    }

    /// A leaf and the keys it is responsible for.
    struct Leaf {
        var low: [UInt8]
        var row: Int64
        var count: Int
    }

    package let layout: PackedLayout
    let tree: Int64
    /// The merged entries of the current leaf, old and new. Grows to the largest batch for one leaf.
    var merged: [UInt8] = []

    private let leafAtOrBelow: Statement
    private let leafAbove: Statement
    private let leafBelow: Statement
    private let readLeaf: Statement
    private let insertLeaf: Statement
    private let updateLeaf: Statement
    private let deleteLeaf: Statement
    private let insertDirectory: Statement
    private let updateCount: Statement
    private let deleteDirectory: Statement
    private let growTree: Statement
    let database: Database

    /// Creates the two tables if they do not exist.
    package static func migrate(_ database: Database) throws {
        try database.migrate(
            "index",
            [
                Migration(
                    "packed leaves",
                    sql: """
                        CREATE TABLE packed_leaf(id INTEGER PRIMARY KEY, entries BLOB NOT NULL);
                        CREATE TABLE packed_directory(
                            tree INTEGER NOT NULL, low BLOB NOT NULL, leaf INTEGER NOT NULL, count INTEGER NOT NULL,
                            PRIMARY KEY(tree, low)) WITHOUT ROWID
                        """),
                Migration("sums of leaves", sql: "ALTER TABLE packed_leaf ADD COLUMN sum INTEGER"),
                Migration(
                    "entries of trees",
                    sql: """
                        CREATE TABLE packed_tree(id INTEGER PRIMARY KEY, entries INTEGER NOT NULL);
                        INSERT INTO packed_tree(id, entries) SELECT tree, sum(count) FROM packed_directory GROUP BY tree
                        """),
            ])
    }

    /// The tree with this number in a migrated database. A tree keeps its layout for ever.
    package init(database: Database, tree: Int64, layout: PackedLayout) throws(DatabaseError) {
        self.database = database
        self.tree = tree
        self.layout = layout
        leafAtOrBelow = try database.prepare(
            """
            SELECT low, leaf, count FROM packed_directory WHERE tree = ?1 AND low <= ?2 ORDER BY low DESC LIMIT 1
            """)
        leafAbove = try database.prepare(
            "SELECT low, leaf, count FROM packed_directory WHERE tree = ?1 AND low > ?2 ORDER BY low LIMIT 1")
        leafBelow = try database.prepare(
            "SELECT low, leaf, count FROM packed_directory WHERE tree = ?1 AND low < ?2 ORDER BY low DESC LIMIT 1")
        readLeaf = try database.prepare("SELECT entries, sum FROM packed_leaf WHERE id = ?1")
        insertLeaf = try database.prepare("INSERT INTO packed_leaf(entries, sum) VALUES(?1, ?2)")
        updateLeaf = try database.prepare("UPDATE packed_leaf SET entries = ?2, sum = ?3 WHERE id = ?1")
        deleteLeaf = try database.prepare("DELETE FROM packed_leaf WHERE id = ?1")
        insertDirectory = try database.prepare(
            "INSERT INTO packed_directory(tree, low, leaf, count) VALUES(?1, ?2, ?3, ?4)")
        updateCount = try database.prepare("UPDATE packed_directory SET count = ?3 WHERE tree = ?1 AND low = ?2")
        deleteDirectory = try database.prepare("DELETE FROM packed_directory WHERE tree = ?1 AND low = ?2")
        growTree = try database.prepare(
            """
            INSERT INTO packed_tree(id, entries) VALUES(?1, ?2)
            ON CONFLICT(id) DO UPDATE SET entries = entries + excluded.entries
            """)
    }
}

// MARK: - Leaves

extension PackedIndex {
    /// The leaf responsible for `key`; nil if the tree is empty.
    func leaf(for key: UnsafeRawBufferPointer) throws -> Leaf? {
        try leaf(leafAtOrBelow, key)
    }

    /// The leaf after the one whose bound is `low`; nil if that is the last.
    func leaf(after low: [UInt8]) throws -> Leaf? {
        leafAbove.bind(1, tree)
        leafAbove.bind(2, low)
        return try nextLeaf(leafAbove)
    }

    /// The leaf before the one whose bound is `low`; nil if that is the first.
    func leaf(before low: [UInt8]) throws -> Leaf? {
        leafBelow.bind(1, tree)
        leafBelow.bind(2, low)
        return try nextLeaf(leafBelow)
    }

    private func leaf(_ statement: Statement, _ key: UnsafeRawBufferPointer) throws -> Leaf? {
        statement.bind(1, tree)
        statement.bind(2, borrowing: key)
        return try nextLeaf(statement)
    }

    private func nextLeaf(_ statement: Statement) throws -> Leaf? {
        guard try statement.step() else { return nil }
        defer { statement.reset() }
        let (low, count) = (statement.blob(0), statement.int(2))
        let isKey = statement.isBlob(0) && (low.isEmpty || low.count == layout.keyBytes)
        guard isKey, count >= 0, count <= Int64(layout.capacity) else { throw damaged() }
        return Leaf(low: low, row: statement.int(1), count: Int(count))
    }

    /// Passes the entries of a leaf to `body`.
    func withEntries<T>(
        of leaf: Leaf, _ body: (UnsafeRawPointer) throws -> T
    ) throws -> T {
        readLeaf.bind(1, leaf.row)
        guard try readLeaf.step() else { throw damaged() }
        defer { readLeaf.reset() }
        return try readLeaf.withBlob(0) { entries in
            guard let base = entries.baseAddress, entries.count == Limits.leafBytes else { throw damaged() }
            return try body(base)
        }
    }

    /// How far the sum of a leaf is off: 0 unless it rotted. The sum of the leaf that replaces it is off by as much, so
    /// that a change does not hide rot from a scrub.
    func rot(of leaf: Leaf) throws -> Int64 {
        readLeaf.bind(1, leaf.row)
        guard try readLeaf.step() else { throw damaged() }
        defer { readLeaf.reset() }
        guard let sum = readLeaf.optionalInt(1) else { return 0 }
        return readLeaf.withBlob(0) { sum &- LeafSum.of($0) }
    }

    /// A copy of a leaf's entries, for callers that use the index meanwhile.
    func entries(of leaf: Leaf) throws -> [UInt8] {
        let used = leaf.count * layout.entryBytes
        return try withEntries(of: leaf) { base in
            [UInt8](UnsafeRawBufferPointer(start: base, count: used))
        }
    }

    private func damaged() -> DatabaseError {
        DatabaseError(code: SQLITE_CORRUPT, message: "a leaf of packed tree \(tree) is damaged")
    }

    /// Writes a leaf's entries, which are at the start of `image`, and its count.
    func store(_ leaf: Leaf, count: Int, image: UnsafeRawBufferPointer, rot: Int64) throws {
        updateLeaf.bind(1, leaf.row)
        updateLeaf.bind(2, borrowing: image)
        updateLeaf.bind(3, LeafSum.of(image) &+ rot)
        try updateLeaf.run()
        guard count != leaf.count else { return }
        updateCount.bind(1, tree)
        updateCount.bind(2, leaf.low)
        updateCount.bind(3, Int64(count))
        try updateCount.run()
    }

    func add(low: [UInt8], count: Int, image: UnsafeRawBufferPointer, rot: Int64) throws {
        insertLeaf.bind(1, borrowing: image)
        insertLeaf.bind(2, LeafSum.of(image) &+ rot)
        try insertLeaf.run()
        insertDirectory.bind(1, tree)
        insertDirectory.bind(2, low)
        insertDirectory.bind(3, database.lastInsertRowID)
        insertDirectory.bind(4, Int64(count))
        try insertDirectory.run()
    }

    /// Adds to the tree's entry count, so that a leaf lost together with its directory row is noticed.
    func grow(by entries: Int) throws {
        if entries != 0 { try growTree.run(tree, entries) }
    }

    func drop(_ leaf: Leaf) throws {
        deleteLeaf.bind(1, leaf.row)
        try deleteLeaf.run()
        deleteDirectory.bind(1, tree)
        deleteDirectory.bind(2, leaf.low)
        try deleteDirectory.run()
    }
}

/// A position-dependent checksum over a leaf's words, which detects rot. It protects against accidents, not attackers.
package enum LeafSum {
    /// Four sums in parallel, each over every fourth word, multiplied by an odd constant before the next word is added:
    /// some 0.7 µs for a leaf. A leaf has whole groups of four words.
    package static func of(_ image: UnsafeRawBufferPointer) -> Int64 {
        let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
        var (first, second, third, fourth): (UInt64, UInt64, UInt64, UInt64) = (1, 2, 3, 4)
        var offset = 0
        while offset + 32 <= image.count {
            let words = image.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self)
            first = first &* factor &+ UInt64(littleEndian: words.x)
            second = second &* factor &+ UInt64(littleEndian: words.y)
            third = third &* factor &+ UInt64(littleEndian: words.z)
            fourth = fourth &* factor &+ UInt64(littleEndian: words.w)
            offset += 32
        }
        let sums = ((UInt64(image.count) &* factor &+ first) &* factor &+ second) &* factor &+ third
        return Int64(bitPattern: sums &* factor &+ fourth)
    }
}
