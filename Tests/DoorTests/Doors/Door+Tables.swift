import ChatTestKit
import NodeCore

@testable import Chat
@testable import SyncState

/// The tables of a home hold other values than were written, as rot in a page of the database makes them. Whoever reads
/// them may refuse, and names what is damaged; what another device has comes back.
extension Door {
    static func store(_ bytes: [UInt8]) -> String? {
        withHome { home in
            var reader = Edits(bytes[...])
            var edits: [Edit] = []
            while let edit = reader.next(of: home.tables.count) { edits.append(edit) }
            return home.fault(after: edits)
        }
    }

    /// Each value of the first two rows of each table replaced by each of some others: every so many of these.
    package static func faultOfValues(from first: Int, step: Int) -> String? {
        withHome { home in
            for edit in stride(from: first, to: home.edits.count, by: step).map({ home.edits[$0] }) {
                if let fault = home.fault(after: [edit]) { return "\(fault): \(home.tables[edit.table]) \(edit)" }
            }
            return nil
        }
    }

    private static func withHome(_ body: (DamagedHome) -> String?) -> String? {
        home.withLock { home in
            guard let home else { return "no home" }
            return body(home)
        }
    }

    private static let home = Lock(try? DamagedHome())
}

/// A home with a bit of everything, and another device that has what may come back. For one thread at a time.
private struct DamagedHome: @unchecked Sendable {
    struct Table {
        let name: String
        let columns: [String]
        let rows: Int
    }

    let tables: [Table]
    private let image: [UInt8]
    private let other: TestZone

    init() throws {
        let one = try TestZone(device: 1)
        other = try TestZone(device: 2)
        try one.zone.devices.describe(name: "phone", appVersion: "1", wall: .day(0))
        try one.zone.accountState.declare(createdAt: .day(0))
        for number: UInt64 in 1...6 {
            let conversation = number % 2 == 0 ? "bob" : "carol"
            let blockTime = 1_700_000_000_000 + number
            try one.archive(.sample(number, conversation: conversation, score: number, blockTime: blockTime))
        }
        try other.archive(.sample(20, score: 20, blockTime: 1_700_000_100_000))
        try other.read("bob", score: 2)
        _ = try one.zone.reads.markRead("carol", upTo: nil, now: .zero, wall: .day(0))
        _ = try one.zone.details.change("bob", [.title(ConversationTitle("Robert"))], wall: .day(0))
        try one.writeFact("fact")
        try one.writeBlob("note", [1, 2, 3])
        try one.meet(other)
        _ = try one.zone.deletions.delete(message: ChatMessage.sample(2).txid, wall: .day(0))
        _ = try one.zone.deletions.delete(conversation: "carol", wall: .day(0))
        _ = try one.zone.hint(Stub(txid: TxID(Bytes32(7, 7, 7, 7)), conversationID: "dave", hintedAt: .day(0)))
        for number: UInt64 in 30...33 { _ = try one.zone.accept(.sample(number), now: .zero) }
        try one.zone.chat.flush()
        try one.zone.commit()
        image = try one.database.snapshot()
        tables = try Self.tables(of: one.database)
    }

    private static func tables(of database: Database) throws -> [Table] {
        let names = try database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        return try names.all { $0.text(0) }.map { name in
            let columns = try database.prepare("SELECT name FROM pragma_table_info(?)").all(name) { $0.text(0) }
            // A conversation's name is compared with nothing: its messages are listed under what it is now.
            let changed = columns.filter { name != "conversation" || $0 != "name" }
            let rows = Int(try database.prepare("SELECT count(*) FROM \(name)").number())
            return Table(name: name, columns: changed, rows: rows)
        }
        .filter { $0.rows > 0 }
    }

    var edits: [Edit] {
        tables.indices.flatMap { table in
            tables[table].columns.indices.flatMap { column in
                (0..<min(2, tables[table].rows)).flatMap { row in
                    Edit.values.map { Edit(table: table, column: column, row: row, value: $0) }
                }
            }
        }
    }

    func fault(after edits: [Edit]) -> String? {
        guard let database = try? Database(snapshot: image) else { return "no copy" }
        for edit in edits { try? apply(edit, to: database) }
        do {
            let device = try TestZone(device: 1, database: database, life: 1)
            read(device)
            try Self.scrub(device)
            try device.take(from: other)
            try write(device)
            try Self.scrub(device)
            read(device)
            // What was hidden by what is in memory comes to light at the next start.
            let next = try device.reopened()
            try Self.scrub(next)
            return try Self.fault(in: next.reopened())
        } catch {
            // A store that cannot be opened, or written, says so.
            return nil
        }
    }

    private static func fault(in device: TestZone) throws -> String? {
        let report = try scrub(device)
        guard report.damagedRows + report.damagedBlobs + report.lanesDiffering + report.damagedIndexes == 0 else {
            return "what a scrub mended is damaged: \(report)"
        }
        for conversation in try device.zone.chat.conversationList() {
            let listed = try device.zone.chat.messages(conversation: conversation.conversationID, limit: 100)
            guard listed.count == conversation.messages else {
                return "\(conversation.messages) messages are counted, and \(listed.count) listed"
            }
            for message in listed where try device.zone.chat.message(message.message.txid) == nil {
                return "a message that is listed is not found"
            }
        }
        return nil
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

    /// What apps and peers ask for. Each may fail for itself.
    private func read(_ device: TestZone) {
        let (zone, store) = (device.zone, device.store)
        for conversation in (try? zone.chat.conversationList()) ?? [] {
            _ = try? zone.chat.messages(conversation: conversation.conversationID, limit: 20)
            _ = try? zone.reads.livePosition(conversation.conversationID)
        }
        _ = try? zone.chat.stats()
        _ = try? zone.changes.read(after: 0, limit: 100)
        _ = try? zone.chat.allDetails()
        _ = try? zone.deletions.recentlyDeleted()
        _ = try? zone.devices.all(wall: .day(1))
        _ = try? zone.archive.missingSegments(limit: 20)
        _ = try? zone.archive.segments(after: nil, limit: 20)
        if let query = try? SearchQuery("text") { _ = try? MessageSearch.all(zone.chat, for: query, limit: 10) }
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

    private func write(_ device: TestZone) throws {
        let zone = device.zone
        _ = try zone.accept(.sample(40), now: .zero)
        _ = try zone.reads.markRead("bob", upTo: nil, now: .zero, wall: .day(1))
        _ = try zone.deletions.restore(message: ChatMessage.sample(2).txid, wall: .day(1))
        _ = try zone.deletions.restore(conversation: "carol", wall: .day(1))
        try zone.cut(force: true, now: .zero)
        try zone.commit()
        try device.run(for: .seconds(60))
        try device.run(for: SyncState.Limits.keptAside)
    }

    @discardableResult
    private static func scrub(_ device: TestZone) throws -> ZoneStore.ScrubReport {
        var cursor = ZoneStore.ScrubCursor()
        while try device.store.scrub(&cursor) {}
        try device.zone.commit()
        return cursor.report
    }
}

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
