import NodeCore
import ProcessHarness

/// A file of txids, one per line in hexadecimal.
enum TxIDList {
    static func read(_ path: String) throws -> [TxID] {
        guard let bytes = FileTree.read(path) else { throw BenchError("cannot read \(path)") }
        return try String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { text in
            guard let txid = TxID(hex: String(text)) else { throw BenchError("\(path): no txid: \(text)") }
            return txid
        }
    }

    static func write(_ list: [TxID], to path: String) throws {
        try FileTree.write(Array(list.map { $0.hex + "\n" }.joined().utf8), to: path)
    }
}
