import Node
import NodeCore
import SyncState

/// The unavoidable work of a push: a blob is hashed and committed durably here, sealed, sent, opened, hashed, committed
/// durably there, and acknowledged. Measures the time from the first to the last step.
enum PlainPush {
    private static let bytes = 400

    static func answer(_ folder: String) throws {
        let database = try PlainStore.make(in: folder)
        let insert = try database.prepare("INSERT INTO blob(id, record, data) VALUES(?, ?, ?)")
        let socket = try PlainSocket.listening()
        Worker.say("listen", Int64(socket.port))
        guard let connection = socket.accept() else { return }
        var receiver = PlainReceiver(connection)
        while let row = try? receiver.next() {
            _ = Blake2b.hash32(row.blob)
            try database.begin()
            insert.bind(1, row.id)
            insert.bind(2, row.kind)
            insert.bind(3, row.blob)
            try insert.run()
            try database.commit()
            connection.send([1])
        }
    }

    static func push(_ folder: String, port: UInt16, count: Int) throws {
        let database = try PlainStore.make(in: folder)
        let insert = try database.prepare("INSERT INTO blob(id, record, data) VALUES(?, ?, ?)")
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
            _ = blob.withUnsafeBytes { Blake2b.hash32($0) }
            try database.begin()
            insert.bind(1, number)
            insert.bind(2, 1)
            insert.bind(3, blob)
            try insert.run()
            try database.commit()
            sender.row(id: number, kind: 1, record: [], blob: blob)
            sender.flush()
            guard connection.receive(into: answer) == 1 else { throw BenchError("the other side ended") }
            times.append(clock.now().nanoseconds - start)
            PlainSocket.pause(milliseconds: 5)
        }
        sender.finish()
        Worker.say("times", times)
    }
}
