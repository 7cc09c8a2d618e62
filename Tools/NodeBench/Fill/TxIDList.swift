import Glibc
import NodeCore

/// A file of txids, one per line in hexadecimal.
enum TxIDList {
    private static let digits = 2 * TxID.byteCount

    static func read(_ path: String) throws -> [TxID] {
        guard let file = fopen(path, "r") else { throw BenchError("cannot read \(path)") }
        defer { fclose(file) }
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        var found: [TxID] = []
        while getline(&line, &capacity, file) >= digits, let line {
            let text = String(decoding: UnsafeRawBufferPointer(start: line, count: digits), as: UTF8.self)
            guard let txid = TxID(hex: text) else { throw BenchError("\(path): no txid: \(text)") }
            found.append(txid)
        }
        return found
    }

    static func write(_ list: [TxID], to path: String) throws {
        guard let file = fopen(path, "w") else { throw BenchError("cannot write \(path)") }
        for txid in list { fputs(txid.hex + "\n", file) }
        fclose(file)
    }
}
