import NodeCore

/// A block as stored: its number, the days with a result, which of those are completed, late, imported, and for each
/// result its points and, if completed, the result itself. The winners are recomputed.
extension ScoreColumn.Block {
    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.write(u32: UInt32(bitPattern: number))
        writer.write(u64: played)
        writer.write(u64: completed)
        writer.write(u64: late)
        writer.write(u64: imported)
        for bit in 0..<64 where played & 1 << UInt64(bit) != 0 {
            writer.write(u8: cellPoints[bit])
            if completed & 1 << UInt64(bit) != 0 { writer.write(u32: cellScores[bit]) }
        }
        return writer.bytes
    }

    /// Nil for anything other than the output of `encoded`.
    init?(encoded: [UInt8]) {
        var reader = ByteReader(encoded)
        guard let number = try? reader.readU32(), let played = try? reader.readU64(),
            let completed = try? reader.readU64(), let late = try? reader.readU64(),
            let imported = try? reader.readU64()
        else { return nil }
        self.init(
            number: Int32(bitPattern: number), played: played, completed: completed, late: late, imported: imported)
        for bit in 0..<64 where played & 1 << UInt64(bit) != 0 {
            guard let points = try? reader.readU8() else { return nil }
            cellPoints[bit] = points
            self.points += UInt32(points)
            guard completed & 1 << UInt64(bit) != 0 else { continue }
            guard let score = try? reader.readU32() else { return nil }
            cellScores[bit] = score
            scores += UInt64(score)
        }
        guard reader.remaining == 0 else { return nil }
    }
}
