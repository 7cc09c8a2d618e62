import NodeCore
import SyncState
import TestScale
import Testing

@Suite struct PackedIndexTests {
    /// Keys of 12 bytes: a number, and the tree's own check that the tail is compared too.
    private static func key(_ number: UInt64, _ tail: UInt32) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) } + withUnsafeBytes(of: tail.bigEndian) { Array($0) }
    }

    private static func makeIndex(_ database: Database, tree: Int64 = 1) throws -> PackedIndex {
        try PackedIndex.migrate(database)
        return try PackedIndex(database: database, tree: tree, layout: PackedLayout(keyBytes: 12, valueBytes: 4))
    }

    private static func contents(_ index: PackedIndex, descending: Bool = false) throws -> [[UInt8]] {
        var entries: [[UInt8]] = []
        try index.scan(descending: descending) { entry in
            entries.append([UInt8](UnsafeRawBufferPointer(start: entry, count: index.layout.entryBytes)))
            return true
        }
        return entries
    }

    @Test func anEmptyTreeAnswers() throws {
        let index = try Self.makeIndex(Database(path: ":memory:"))
        #expect(try index.find(Self.key(1, 1)) == nil)
        #expect(try Self.contents(index).isEmpty)
        #expect(try Self.contents(index, descending: true).isEmpty)
        #expect(try index.remove(Self.key(1, 1)) == 0)
        #expect(try index.insert([UInt8]()) == 0)
    }

    @Test func treesDoNotMix() throws {
        let database = try Database(path: ":memory:")
        let one = try Self.makeIndex(database, tree: 1)
        let two = try Self.makeIndex(database, tree: 2)
        try one.insert(Self.key(1, 1) + [0, 0, 0, 1])
        try two.insert(Self.key(1, 1) + [0, 0, 0, 2])
        #expect(try one.find(Self.key(1, 1)) == [0, 0, 0, 1])
        #expect(try two.find(Self.key(1, 1)) == [0, 0, 0, 2])
    }

    @Test func duplicatesAreAskedAbout() throws {
        let index = try Self.makeIndex(Database(path: ":memory:"))
        try index.insert(Self.key(1, 1) + [0, 0, 0, 1] + Self.key(2, 1) + [0, 0, 0, 2])
        var met: [UInt8] = []
        let added = try index.insert(Self.key(1, 1) + [9, 9, 9, 9] + Self.key(1, 2) + [0, 0, 0, 3]) { held, given in
            met.append(held.load(fromByteOffset: 15, as: UInt8.self))
            met.append(given.load(fromByteOffset: 15, as: UInt8.self))
            return .keep
        }
        #expect(added == 1)
        #expect(met == [1, 9])
        #expect(try index.find(Self.key(1, 1)) == [0, 0, 0, 1])
        try index.insert(Self.key(1, 1) + [9, 9, 9, 9])
        #expect(try index.find(Self.key(1, 1)) == [9, 9, 9, 9])
        #expect(try Self.contents(index).count == 3)
    }

    @Test(arguments: 0..<TestScale.of(usual: 6, proof: 12) as Range<UInt64>)
    func itIsASortedDictionary(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let database = try Database(path: ":memory:")
        let index = try Self.makeIndex(database)
        var model: [[UInt8]: [UInt8]] = [:]
        // Few distinct numbers make equal heads and duplicates; many make splits. Both orders of arrival are tried.
        let span = UInt64([100, 5_000, 1 << 60][Int(seed % 3)])
        var front = span / 2
        for round in 0..<TestScale.of(usual: 7, proof: 14) {
            let size = Int.random(in: 0...[3, 400, 3_000][Int.random(in: 0..<3, using: &random)], using: &random)
            var batch: [[UInt8]: [UInt8]] = [:]
            for _ in 0..<size {
                let number: UInt64
                switch seed % 4 {
                case 0:
                    front &+= 1
                    number = front
                case 1:
                    front &-= 1
                    number = front
                default: number = UInt64.random(in: 0..<span, using: &random)
                }
                batch[Self.key(number, UInt32.random(in: 0..<3, using: &random))] = random.bytes(4)
            }
            let keys = batch.keys.sorted { $0.lexicographicallyPrecedes($1) }
            if round % 4 == 3 {
                var gone = keys
                gone += model.keys.filter { _ in Bool.random(using: &random) }
                gone = Set(gone).sorted { $0.lexicographicallyPrecedes($1) }
                let held = gone.filter { model[$0] != nil }.count
                #expect(try index.remove(gone.flatMap { $0 }) == held)
                for key in gone { model[key] = nil }
            } else {
                let keepsOld = Bool.random(using: &random)
                let fresh = keys.filter { model[$0] == nil }.count
                let added = try index.insert(keys.flatMap { $0 + batch[$0, default: []] }) { _, _ in
                    keepsOld ? .keep : .replace
                }
                #expect(added == fresh)
                model.merge(batch) { old, new in keepsOld ? old : new }
            }
            try check(index, model, &random)
        }
    }

    private func check(_ index: PackedIndex, _ model: [[UInt8]: [UInt8]], _ random: inout SeededRandom) throws {
        let sorted = model.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        #expect(try Self.contents(index) == sorted.map { $0.key + $0.value })
        #expect(try Self.contents(index, descending: true) == sorted.reversed().map { $0.key + $0.value })
        for _ in 0..<5 {
            let key =
                Bool.random(using: &random)
                ? sorted.randomElement(using: &random)?.key ?? random.bytes(12)
                : Self.key(UInt64.random(in: 0..<6_000, using: &random), 1)
            #expect(try index.find(key) == model[key])
            for descending in [false, true] {
                var met: [UInt8] = []
                try index.scan(from: key, descending: descending) { entry in
                    met = [UInt8](UnsafeRawBufferPointer(start: entry, count: 12))
                    return false
                }
                let next =
                    descending
                    ? sorted.last { !key.lexicographicallyPrecedes($0.key) }
                    : sorted.first { !$0.key.lexicographicallyPrecedes(key) }
                #expect(met == next?.key ?? [])
            }
        }
    }

    @Test func aRollbackUndoesAnInsert() throws {
        let database = try Database(path: ":memory:")
        let index = try Self.makeIndex(database)
        try index.insert(Self.key(1, 1) + [0, 0, 0, 1])
        try database.begin()
        try index.insert((0..<5_000).flatMap { Self.key(UInt64($0), 0) + [0, 0, 0, 1] })
        database.rollback()
        #expect(try Self.contents(index).count == 1)
    }

    /// Each change of a damaged leaf rewrites it: into one leaf, into two, or together with the next.
    @Test(arguments: [1, 20, 990, 1_500, -1, -700]) func rotStaysFoundThroughChanges(change: Int) throws {
        let database = try Database(path: ":memory:")
        let index = try Self.makeIndex(database)
        // Two leaves of 750 entries: 1,000 fit one.
        let numbers = stride(from: UInt64(2), through: 3_000, by: 2)
        try index.insert(numbers.flatMap { Self.key($0, 0) + [1, 1, 1, 1] })
        #expect(try index.isSound())
        // A bit of a value is flipped, which the order of the keys does not show.
        let read = try database.prepare("SELECT entries FROM packed_leaf ORDER BY id LIMIT 1")
        #expect(try read.step())
        var bytes = read.blob(0)
        read.reset()
        bytes[14] ^= 4
        let write = try database.prepare(
            "UPDATE packed_leaf SET entries = ? WHERE id = (SELECT min(id) FROM packed_leaf)")
        write.bind(1, bytes)
        try write.run()
        #expect(try !index.isSound())

        if change > 0 {
            try index.insert((0..<UInt64(change)).flatMap { Self.key(2 * $0 + 1, 0) + [2, 2, 2, 2] })
        } else {
            // All but the first, whose value is damaged, are removed.
            try index.remove((2..<UInt64(2 - change)).flatMap { Self.key(2 * $0, 0) })
        }
        #expect(try !index.isSound())
        try index.removeAll()
        #expect(try index.isSound())
    }

    /// A leaf that is missing along with its directory entry leaves sorted keys, and a tree of fewer entries.
    @Test func aLeafThatIsGoneIsMissed() throws {
        let database = try Database(path: ":memory:")
        let index = try Self.makeIndex(database)
        try index.insert((0..<UInt64(1_500)).flatMap { Self.key($0, 0) + [1, 1, 1, 1] })
        let last = "SELECT leaf FROM packed_directory ORDER BY low DESC LIMIT 1"
        try database.execute("DELETE FROM packed_leaf WHERE id = (\(last))")
        #expect(try !index.isSound(), "its place is there")
        try database.execute("DELETE FROM packed_directory WHERE leaf = (\(last))")
        #expect(try !index.isSound())
    }
}
