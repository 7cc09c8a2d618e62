/// A frame: length (4 bytes), sealed rows. A row: id, kind, lengths (8, 4, 4, 4 bytes), record, blob.
struct PlainSender {
    private let connection: PlainSocket
    private var plain: [UInt8] = []
    private var nonce: UInt64 = 0
    private let key = [UInt8](repeating: 3, count: 32)

    init(_ connection: PlainSocket) {
        self.connection = connection
        plain.reserveCapacity(1 << 19)
    }

    mutating func row(id: Int64, kind: Int64, record: [UInt8], blob: [UInt8]) {
        if plain.count + record.count + blob.count > 64_000 { flush() }
        withUnsafeBytes(of: id) { plain.append(contentsOf: $0) }
        for number in [UInt32(kind), UInt32(record.count), UInt32(blob.count)] {
            withUnsafeBytes(of: number) { plain.append(contentsOf: $0) }
        }
        plain.append(contentsOf: record)
        plain.append(contentsOf: blob)
    }

    mutating func finish() {
        if !plain.isEmpty { flush() }
        connection.send([0, 0, 0, 0])
    }

    mutating func flush() {
        var frame = [UInt8](repeating: 0, count: 4 + plain.count + 16)
        let count = UInt32(plain.count + 16)
        frame.withUnsafeMutableBytes { frame in
            frame.storeBytes(of: count, as: UInt32.self)
            PlainCipher.seal(plain, into: frame, nonce: nonce, key: key)
        }
        nonce += 1
        connection.send(frame)
        plain.removeAll(keepingCapacity: true)
    }
}
