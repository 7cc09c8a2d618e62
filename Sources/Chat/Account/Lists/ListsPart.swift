package import NodeCore
import SyncState

/// The lists of rows whose blobs are here.
package final class ListsPart: AccountPart {
    typealias Content = RowList

    private let context: AccountContext
    private let putList, deleteList, ofHash: Statement
    /// Changes with each list that comes or goes.
    private(set) var revision: UInt64 = 0

    init(_ context: AccountContext) throws {
        self.context = context
        try context.database.migrate(
            "lists",
            [
                Migration(
                    "lists",
                    sql: """
                        CREATE TABLE row_list(arrival INTEGER PRIMARY KEY, hash BLOB NOT NULL);
                        CREATE INDEX row_list_hash ON row_list(hash);
                        """)
            ])
        putList = try context.database.prepare("INSERT OR REPLACE INTO row_list(arrival, hash) VALUES(?, ?)")
        deleteList = try context.database.prepare("DELETE FROM row_list WHERE arrival = ?")
        ofHash = try context.database.prepare("SELECT arrival FROM row_list WHERE hash = ? LIMIT 1")
    }

    /// Writes lists of these rows.
    ///
    /// - Returns: what a Remove names as `stays`.
    package func write(_ rows: some Sequence<RecordHash>) throws -> [BlobHash] {
        let names = Set(rows.map(\.prefix)).sorted()
        var blobs: [BlobHash] = []
        for start in stride(from: 0, to: names.count, by: Limits.listedRows) {
            let blob = RowList.blob(names[start..<min(start + Limits.listedRows, names.count)])
            let record = try context.write(RowList(), tag: context.random.identifier()) { _ in blob }
            try note(record)
            blobs += [record.blob?.hash].compactMap(\.self)
        }
        return blobs
    }

    /// The rows that a list names; nil if its blob is not here.
    func names(_ hash: BlobHash) throws -> [Bytes16]? {
        guard let arrival = try arrival(of: hash) else { return nil }
        return try context.store.blob(arrival: arrival).map(RowList.names)
    }

    func holds(_ hash: BlobHash) throws -> Bool { try arrival(of: hash) != nil }

    private func arrival(of hash: BlobHash) throws -> Int64? {
        ofHash.bind(1, hash.bytes)
        defer { ofHash.reset() }
        return try ofHash.step() ? ofHash.int(0) : nil
    }

    func blobCame(_ blob: UnsafeRawBufferPointer, of record: Record) throws { try note(record) }

    /// The record's blob was stored just now.
    private func note(_ record: Record) throws {
        guard let hash = record.blob?.hash else { return }
        putList.bind(1, context.store.latestArrival)
        putList.bind(2, hash.bytes)
        try putList.run()
        revision += 1
    }

    /// A blob went, of a list or of something else.
    func blobWent(arrival: Int64) throws {
        deleteList.bind(1, arrival)
        try deleteList.run()
        if context.database.changes > 0 { revision += 1 }
    }

    func reload() { revision += 1 }
}
