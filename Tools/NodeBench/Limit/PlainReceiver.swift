/// One received row; valid until the next one.
struct PlainRow {
    var id: Int64
    var kind: Int64
    var record: UnsafeRawBufferPointer
    var blob: UnsafeRawBufferPointer
}

/// Splits frames into rows without copying them.
struct PlainReceiver: ~Copyable {
    private let connection: PlainSocket
    private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
    private let plain = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 19, alignment: 64)
    private var start = 0
    private var end = 0
    private var position = 0
    private var count = 0
    private var nonce: UInt64 = 0
    private let key = [UInt8](repeating: 3, count: 32)

    init(_ connection: PlainSocket) { self.connection = connection }

    deinit {
        input.deallocate()
        plain.deallocate()
    }

    mutating func next() throws -> PlainRow? {
        if position == count, try !nextFrame() { return nil }
        let base = position
        let id = plain.loadUnaligned(fromByteOffset: base, as: Int64.self)
        let kind = plain.loadUnaligned(fromByteOffset: base + 8, as: UInt32.self)
        let recordBytes = Int(plain.loadUnaligned(fromByteOffset: base + 12, as: UInt32.self))
        let blobBytes = Int(plain.loadUnaligned(fromByteOffset: base + 16, as: UInt32.self))
        let record = base + 20
        let blob = record + recordBytes
        position = blob + blobBytes
        let all = UnsafeRawBufferPointer(plain)
        return PlainRow(
            id: id, kind: Int64(kind), record: UnsafeRawBufferPointer(rebasing: all[record..<blob]),
            blob: UnsafeRawBufferPointer(rebasing: all[blob..<position]))
    }

    private mutating func nextFrame() throws -> Bool {
        try need(4)
        let length = Int(input.loadUnaligned(fromByteOffset: start, as: UInt32.self))
        start += 4
        guard length > 0 else { return false }
        try need(length)
        count = PlainCipher.open(
            UnsafeRawBufferPointer(rebasing: input[start..<start + length]), into: plain, nonce: nonce, key: key)
        guard count >= 0 else { throw BenchError("a frame does not open") }
        nonce += 1
        start += length
        position = 0
        return true
    }

    private mutating func need(_ bytes: Int) throws {
        guard end - start < bytes else { return }
        input.copyMemory(from: UnsafeRawBufferPointer(rebasing: input[start..<end]))
        (start, end) = (0, end - start)
        while end < bytes {
            let got = connection.receive(into: UnsafeMutableRawBufferPointer(rebasing: input[end...]))
            guard got > 0 else { throw BenchError("the other side ended") }
            end += got
        }
    }
}
