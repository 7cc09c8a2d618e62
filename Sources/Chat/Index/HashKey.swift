import NodeCore
import SyncState

/// The SipHash key of the index by txid: random for each database, so that nobody can make collisions. Without it no
/// message in the trees is found by its txid, so it is stored with a checksum (docs/STORAGE.md, §3.4).
struct HashKey: Equatable {
    let bytes: Bytes16

    init(random: inout any RandomSource) { bytes = random.identifier() }

    /// Nil if there is none, or if it has rotted. Older versions wrote it without a checksum.
    init?(storedIn database: Database) throws {
        let stored = try database.prepare("SELECT key FROM chat_key").first { $0.blob(0) } ?? []
        guard let bytes = Bytes16(bytes: Array(stored.prefix(Bytes16.byteCount))) else { return nil }
        self.bytes = bytes
        let rest = Array(stored.dropFirst(Bytes16.byteCount))
        guard rest.isEmpty || rest == checksum else { return nil }
    }

    func store(in database: Database) throws {
        let insert = try database.prepare("INSERT OR REPLACE INTO chat_key(id, key) VALUES(1, ?)")
        try insert.run(bytes.bytes + checksum)
    }

    private var checksum: [UInt8] { Array(Blake2b.hash32(bytes.bytes, domain: "kachat index key").bytes.prefix(8)) }
}
