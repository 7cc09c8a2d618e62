import ChatTestKit
import NodeCore
import SyncState

/// The tables of a home hold other values than were written, as rot in a page of the database makes them. Whoever reads
/// them may refuse, and names what is damaged; what another device has comes back.
extension Door {
    static func store(_ bytes: [UInt8]) -> String? { fault(of: bytes, in: account) }
    static func groupStore(_ bytes: [UInt8]) -> String? { fault(of: bytes, in: group) }

    private static func fault(of bytes: [UInt8], in home: Home<some StoredDevice>) -> String? {
        home.withLock { home in
            guard let home else { return "no home" }
            var reader = Edits(bytes[...])
            var edits: [Edit] = []
            while let edit = reader.next(of: home.tables.count) { edits.append(edit) }
            return home.fault(after: edits).map { fault in
                "\(fault): \(edits.map { "\(home.tables[$0.table].name) \($0)" })"
            }
        }
    }

    /// Each value of the first two rows of each table of an account, and of all its settings, replaced by each of some
    /// others: every so many of these.
    package static func faultsOfValues(step: Int) -> [String] { faults(step: step, in: account) }

    /// The same of a group's tables.
    package static func faultsOfGroupValues(step: Int) -> [String] { faults(step: step, in: group) }

    private static func faults(step: Int, in home: Home<some StoredDevice>) -> [String] {
        home.withLock { home in
            guard let home else { return ["no home"] }
            return stride(from: 0, to: home.edits.count, by: step).map { home.edits[$0] }.compactMap { edit in
                return home.fault(after: [edit]).map { "\($0): \(home.tables[edit.table]) \(edit)" }
            }
        }
    }

    private typealias Home<Device: StoredDevice> = Lock<DamagedHome<Device>?>

    private static let account = Lock(try? DamagedHome<TestZone>())
    private static let group = Lock(try? DamagedHome<GroupDevice>())
}

/// A device whose tables are damaged.
protocol StoredDevice: AnyObject {
    /// A device with a bit of everything, and another one that has what may come back.
    static func filled() throws -> (device: Self, other: Self)
    /// Tables of what is derived from records: whatever stands there, nothing is refused.
    static var derived: Set<String> { get }

    var database: Database { get }
    var store: ZoneStore { get }
    func commit() throws
    /// The same device with such a database.
    func opened(_ database: Database) throws -> Self
    /// The same home after a crash.
    func reopened() throws -> Self
    /// What apps ask for. Each may fail for itself.
    func read()
    func take(from other: Self) throws
    /// Writes, and lets a week go by.
    func write() throws
    /// What is wrong, if a scrub finds nothing.
    func fault(beside other: Self) throws -> String?
}

/// A home, and another device that has what may come back. For one thread at a time.
private struct DamagedHome<Device: StoredDevice>: @unchecked Sendable {
    struct Table {
        let name: String
        let columns: [String]
        let rows: Int
    }

    let tables: [Table]
    private let image: [UInt8]
    private let device, other: Device

    init() throws {
        (device, other) = try Device.filled()
        image = try device.database.snapshot()
        tables = try Self.tables(of: device.database)
    }

    private static func tables(of database: Database) throws -> [Table] {
        let names = try database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        return try names.all { $0.text(0) }.map { name in
            let columns = try database.prepare("SELECT name FROM pragma_table_info(?)").all(name) { $0.text(0) }
            let changed = columns.filter { !comparedWithNothing.contains("\(name).\($0)") }
            let rows = Int(try database.prepare("SELECT count(*) FROM \(name)").number())
            return Table(name: name, columns: changed, rows: rows)
        }
        .filter { $0.rows > 0 }
    }

    var edits: [Edit] {
        tables.indices.flatMap { table in
            tables[table].columns.indices.flatMap { column in
                (0..<min(tables[table].name == "setting" ? .max : 2, tables[table].rows)).flatMap { row in
                    Edit.values.map { Edit(table: table, column: column, row: row, value: $0) }
                }
            }
        }
    }

    func fault(after edits: [Edit]) -> String? {
        guard let database = try? Database(snapshot: image) else { return "no copy" }
        for edit in edits { try? apply(edit, to: database) }
        do {
            let device = try self.device.opened(database)
            read(device)
            try scrub(device)
            try device.take(from: other)
            try device.write()
            try scrub(device)
            read(device)
            // What was hidden by what is in memory comes to light at the next start.
            let next = try device.reopened()
            try scrub(next)
            return try fault(in: next.reopened())
        } catch {
            // A store that cannot be opened, or written, says so.
            let isDerived = edits.allSatisfy { Device.derived.contains(tables[$0.table].name) }
            return isDerived && !edits.isEmpty ? "what is derived is refused: \(error)" : nil
        }
    }

    private func fault(in device: Device) throws -> String? {
        let report = try scrub(device)
        guard report.damagedRows + report.damagedBlobs + report.lanesDiffering + report.damagedIndexes == 0 else {
            return "what a scrub mended is damaged: \(report)"
        }
        return try device.fault(beside: other)
    }

    private func apply(_ edit: Edit, to database: Database) throws {
        let table = tables[edit.table]
        let (name, column) = (table.name, table.columns[edit.column % table.columns.count])
        let place = "\(column) IS (SELECT \(column) FROM \(name) LIMIT 1 OFFSET \(edit.row % table.rows))"
        switch edit.value {
        case .gone: try database.execute("DELETE FROM \(name) WHERE \(place)")
        case .sql(let value): try database.execute("UPDATE \(name) SET \(column) = \(value) WHERE \(place)")
        case .flip(let at, let mask):
            let old = try database.prepare("SELECT \(column) FROM \(name) WHERE \(place) LIMIT 1").all { $0.blob(0) }
            guard var new = old.first, !new.isEmpty else { return }
            new[at % new.count] ^= mask
            try database.prepare("UPDATE \(name) SET \(column) = ? WHERE \(place)").run(new)
        }
    }

    /// What apps and peers ask for.
    private func read(_ device: Device) {
        let store = device.store
        device.read()
        _ = store.digest
        _ = store.total
        for lane in store.vector {
            _ = try? store.chunks(of: lane.id, from: 0, through: lane.target)
            _ = try? store.keys(of: lane.id, from: 0, through: lane.target, rows: 100)
            _ = try? store.newest(of: lane.id, count: 5)
            for row in (try? store.page(of: lane.id, since: 0, rows: 50, sizeBytes: 10_000).rows) ?? [] {
                guard let record = try? Record(encoded: row), let hash = record.blob?.hash else { continue }
                _ = try? store.blob(of: record.lane, seq: record.seq, hashPrefix: hash.shortPrefix)
            }
        }
    }

    @discardableResult
    private func scrub(_ device: Device) throws -> ZoneStore.ScrubReport {
        var cursor = ZoneStore.ScrubCursor()
        while try device.store.scrub(&cursor) {}
        try device.commit()
        return cursor.report
    }
}

/// A conversation's messages are listed under what its name is now. How a result came is known by nothing else.
private let comparedWithNothing: Set = ["conversation.name", "score.late"]

/// One value of a table is another, and so are those that are like it; or their rows are gone.
private struct Edit {
    enum Value {
        case gone
        /// An expression.
        case sql(String)
        case flip(at: Int, mask: UInt8)
    }

    static let numbers: [Int64] = [
        .min, .max, -1, 0, 1, 1 << 31, 1 << 32, 1 << 50, 1 << 51, 1 << 52, 1 << 62, -(1 << 51),
    ]

    static let values: [Value] =
        [.gone, .sql("NULL"), .sql("''"), .sql("zeroblob(30)"), .sql("zeroblob(4000)")]
        + numbers.map { .sql("\($0)") } + (0..<6).map { .flip(at: $0 * 7, mask: 1 << $0) }

    let table, column, row: Int
    let value: Value
}

/// Edits as bytes: table, column, row, what, and what that needs.
private struct Edits {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    mutating func next(of tables: Int) -> Edit? {
        guard bytes.count >= 6 else { return nil }
        let (table, column, row) = (byte() % tables, byte(), byte())
        let value: Edit.Value =
            switch byte() % 7 {
            case 0: .gone
            case 1: .sql("NULL")
            case 2: .sql("\(Edit.numbers[byte() % Edit.numbers.count])")
            case 3: .sql("\(Int8(truncatingIfNeeded: byte()))")
            case 4: .sql("x'\((0..<byte() % 40).map { _ in UInt8(byte()) }.withUnsafeBytes(Hex.encode))'")
            case 5: .sql("zeroblob(\(byte() * byte()))")
            default: .flip(at: byte() + byte() << 8, mask: UInt8(max(1, byte())))
            }
        return Edit(table: table, column: column, row: row, value: value)
    }

    /// 0 at the end.
    private mutating func byte() -> Int { Int(bytes.popFirst() ?? 0) }
}
