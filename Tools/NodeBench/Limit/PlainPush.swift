import Node
import NodeCore
import SyncState

/// The unavoidable work of a push: a blob is hashed and committed durably here, sealed, sent, opened, hashed, committed
/// durably there, and acknowledged. Measures the time from the first to the last step.
enum PlainPush {
    private static let bytes = 400

    static func answer(_ folder: String) throws {
        let store = try BlobStore(folder)
        let socket = try PlainSocket.listening()
        Worker.say("listen", Int64(socket.port))
        guard let connection = socket.accept() else { return }
        var receiver = PlainReceiver(connection)
        while let row = try? receiver.next() {
            try store.put(row.id, row.blob)
            connection.send([1])
        }
    }

    static func push(_ folder: String, port: UInt16, count: Int) throws {
        let store = try BlobStore(folder)
        let connection = try PlainSocket.connected(to: port)
        var sender = PlainSender(connection)
        var random = SystemRandom()
        let clock = SystemClock()
        var times: [Int64] = []
        let answer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
        defer { answer.deallocate() }
        for number in 1...Int64(max(count, 1)) {
            let blob = random.bytes(bytes)
            let start = clock.now().nanoseconds
            try blob.withUnsafeBytes { try store.put(number, $0) }
            sender.row(id: number, kind: 1, record: [], blob: blob)
            sender.flush()
            guard connection.receive(into: answer) == 1 else { throw BenchError("the other side ended") }
            times.append(clock.now().nanoseconds - start)
            PlainSocket.pause(milliseconds: 5)
        }
        sender.finish()
        Worker.say("times", times)
    }

    /// Hashes blobs and stores each in a durable commit of its own.
    private struct BlobStore {
        private let database: Database
        private let insert: Statement

        init(_ folder: String) throws {
            database = try PlainStore.make(in: folder)
            insert = try database.prepare("INSERT INTO blob(id, record, data) VALUES(?, ?, ?)")
        }

        func put(_ id: Int64, _ blob: UnsafeRawBufferPointer) throws {
            _ = Blake2b.hash32(blob)
            try database.begin()
            insert.bind(1, id)
            insert.bind(2, 1)
            insert.bind(3, borrowing: blob)
            try insert.run()
            try database.commit()
        }
    }
}
