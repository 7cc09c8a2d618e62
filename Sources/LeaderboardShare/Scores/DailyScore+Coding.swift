import Ledger
import NodeCore

/// `[version, member, day, game, gameName, score, maxAttempts, currentStreak, updatedAt, revision, removed]`, the day
/// as days since 1970-01-01, and null for absent values.
extension DailyScore {
    package var encoded: [UInt8] {
        var writer = CBORWriter(capacity: 120)
        writer.writeArray(11)
        writer.write(Self.formatVersion)
        writer.write(member)
        writer.write(Int64(day.number))
        writer.write(game)
        writer.write(text: gameName)
        Self.write(score, to: &writer)
        writer.write(UInt64(maxAttempts))
        Self.write(currentStreak, to: &writer)
        writer.write(updatedAt.milliseconds)
        writer.write(UInt64(revision))
        writer.write(isRemoved)
        return writer.bytes
    }

    package init(encoded: [UInt8]) throws(ScoreError) {
        do {
            var reader = CBORReader(encoded)
            guard try reader.readArray(max: 11) == 11, try reader.readUInt() == Self.formatVersion else {
                throw ScoreError.malformed
            }
            let member = try reader.read(MemberID.self)
            let number = try reader.readInt()
            let day = Day(number: Int(number))
            guard Int64(day.number) == number else { throw ScoreError.noSuchDay }
            try self.init(
                member: member, day: day, game: reader.read(GameID.self),
                gameName: reader.readText(max: Limits.titleBytes), score: Self.readNumber(&reader),
                maxAttempts: Self.number(reader.readUInt()), currentStreak: Self.readNumber(&reader),
                updatedAt: WallTime(milliseconds: reader.readInt()), revision: Self.number(reader.readUInt()),
                isRemoved: reader.readBool())
            try reader.finish()
        } catch let error as ScoreError {
            throw error
        } catch {
            throw .malformed
        }
    }

    private static func write(_ value: UInt32?, to writer: inout CBORWriter) {
        if let value { writer.write(UInt64(value)) } else { writer.writeNull() }
    }

    private static func readNumber(_ reader: inout CBORReader) throws -> UInt32? {
        try reader.readNullIfPresent() ? nil : number(reader.readUInt())
    }

    private static func number(_ value: UInt64) throws(ScoreError) -> UInt32 {
        guard let number = UInt32(exactly: value) else { throw .outOfRange }
        return number
    }
}
