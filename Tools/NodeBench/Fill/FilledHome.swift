import Chat
import Node
import SyncState

/// A filled home and its content.
struct FilledHome {
    let home: String
    var records = 0
    var messages = 0
    /// Bytes of records and blobs.
    var bytes: Int64 = 0
    /// A file with the txids of the newest messages.
    var newestList: String?
    var newestCount = 0

    /// Adds opaque records.
    static func blobs(_ home: String, _ options: BenchOptions) throws -> FilledHome {
        try fill(home) { zone in
            try BlobFill(records: options.records, seed: options.seed).fill(zone, from: options.from)
        }
    }

    /// Adds a long history of messages.
    static func messages(_ home: String, _ options: BenchOptions) throws -> FilledHome {
        let fill = MessageFill(
            messages: try ChatSource.messages(file: options.chat), repetitions: options.repetitions,
            seed: options.seed)
        let list = home + "/newest-messages"
        var count = 0
        var filled = try self.fill(home) { zone in
            let newest = try fill.fill(zone, newest: 2_000)
            try TxIDList.write(newest, to: list)
            count = newest.count
        }
        filled.newestList = list
        filled.newestCount = count
        return filled
    }

    private static func fill(_ home: String, _ body: (AccountZone) throws -> Void) throws -> FilledHome {
        var filled = FilledHome(home: home)
        try OfflineHome.use(home) { zone in
            try body(zone)
            filled.records = zone.store.recordCount
            filled.messages = try zone.chat.stats().messages
        }
        filled.bytes = try size(home)
        return filled
    }

    /// Bytes of the records and blobs in a home where no node runs.
    static func size(_ home: String) throws -> Int64 {
        let database = try Database(path: try PlainStore.path(in: home))
        let query = try database.prepare(
            "SELECT (SELECT total(length(rec)) FROM record) + (SELECT total(length(data)) FROM blob)")
        defer { query.reset() }
        return try query.step() ? query.int(0) : 0
    }
}
