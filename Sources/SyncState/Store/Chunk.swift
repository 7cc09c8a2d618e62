package import NodeCore

/// The rows of a lane whose seqs differ only in their last ten bits. Fingerprints are made of chunks (docs/PROTOCOL.md,
/// §5).
package struct Chunk: Hashable, Sendable {
    /// The seqs without their last ten bits.
    package let number: UInt64
    /// How many rows it has.
    package let rows: Int
    /// BLAKE2b-256 of the hashes of its rows, ascending by seq and hash.
    let digest: Bytes32

    init(number: UInt64, rows: Int, digest: Bytes32) {
        (self.number, self.rows, self.digest) = (number, rows, digest)
    }

    /// Nil if there are no rows.
    ///
    /// - Parameter rows: rows of one chunk, ascending.
    init?(_ rows: ArraySlice<RowKey>) {
        guard let first = rows.first else { return nil }
        var hashes = ByteWriter(capacity: rows.count * RecordHash.byteCount)
        for row in rows { hashes.write(row.hash) }
        self.init(
            number: first.chunk, rows: rows.count, digest: Blake2b.hash32(hashes.bytes, domain: "kachat chunk"))
    }
}

extension RowKey {
    /// The number of its chunk.
    var chunk: UInt64 { seq / Limits.chunkSeqs }
}

extension Fingerprint {
    /// The fingerprint of the rows of some chunks.
    ///
    /// - Parameter chunks: ascending.
    package init(of chunks: ArraySlice<Chunk>) {
        var writer = ByteWriter(capacity: chunks.count * 40)
        for chunk in chunks {
            writer.write(u64: chunk.number)
            writer.write(chunk.digest)
        }
        self.init(Blake2b.hash16(writer.bytes, domain: "kachat lane"))
    }

    /// The fingerprint of rows of one chunk.
    ///
    /// - Parameter rows: ascending.
    package init(of rows: ArraySlice<RowKey>) { self.init(of: Chunk(rows).map { [$0] } ?? []) }

    package static let ofNoRows = Fingerprint(of: [] as ArraySlice<Chunk>)
}
