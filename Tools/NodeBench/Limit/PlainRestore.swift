import NodeCore
import SyncState

/// The unavoidable work of a restore: rows and blobs are read, sealed in frames of 64 KiB, sent, received, opened,
/// hashed and inserted into the node's own tables in durable commits of 128 rows or 1 MiB. One thread per side, no
/// protocol: the limit with which the node's restore is compared.
enum PlainRestore {
    private static let commitRows = 128
    private static let commitBytes = 1 << 20

    static func serve(_ home: String) throws {
        let database = try Database(path: try PlainStore.path(in: home))
        let query = try database.prepare(
            """
            SELECT record.id, kind, rec, blob.data FROM record LEFT JOIN blob ON blob.id = record.blob
            ORDER BY record.id
            """)
        let socket = try PlainSocket.listening()
        Worker.say("listen", Int64(socket.port))
        while let connection = socket.accept() {
            var sender = PlainSender(connection)
            while try query.step() {
                sender.row(id: query.int(0), kind: query.int(1), record: query.blob(2), blob: query.blob(3))
            }
            sender.finish()
            connection.close()
        }
    }

    static func fetch(_ folder: String, port: UInt16) throws {
        let database = try PlainStore.make(in: folder)
        let insertRecord = try database.prepare(
            "INSERT INTO record(id, kind, blob, want, rec) VALUES(?, ?, ?, NULL, ?)")
        let insertBlob = try database.prepare("INSERT INTO blob(id, record, data) VALUES(?, ?, ?)")
        let start = SystemClock().now()
        let connection = try PlainSocket.connected(to: port)
        var receiver = PlainReceiver(connection)
        var (rows, bytes, arrival, blobs) = (0, 0, Int64(0), 0)
        while let row = try receiver.next() {
            if rows == 0 { try database.begin() }
            _ = Blake2b.hash32(row.record)
            insertRecord.bind(1, row.id)
            insertRecord.bind(2, row.kind)
            if row.blob.isEmpty {
                insertRecord.bindNull(3)
            } else {
                arrival += 1
                _ = Blake2b.hash32(row.blob)
                insertRecord.bind(3, arrival)
                insertBlob.bind(1, arrival)
                insertBlob.bind(2, row.id)
                insertBlob.bind(3, borrowing: row.blob)
                try insertBlob.run()
                blobs += 1
            }
            insertRecord.bind(4, borrowing: row.record)
            try insertRecord.run()
            rows += 1
            bytes += row.record.count + row.blob.count
            if rows == commitRows || bytes >= commitBytes {
                try database.commit()
                (rows, bytes) = (0, 0)
            }
        }
        if rows > 0 { try database.commit() }
        Worker.say("complete", SystemClock().now().nanoseconds, start.nanoseconds)
        Worker.sayUsage()
    }
}
