import Ledger
import NodeCore

/// `[version, member, day, game, gameName, score, maxAttempts, currentStreak, updatedAt, revision, removed]`, the day
/// as days since 1970-01-01, and null for absent values.
extension DailyScore {
    package var encoded: [UInt8] {
        CBORWriter.array(
            capacity: 120, Self.formatVersion, member, Int(day.number), game, gameName, score, maxAttempts,
            currentStreak, updatedAt, revision, isRemoved)
    }

    package init(encoded: [UInt8]) throws(ScoreError) {
        do {
            var reader = try CBORReader(encoded, array: 11)
            guard try reader.readUInt() == Self.formatVersion else { throw ScoreError.malformed }
            let member = try reader.read(MemberID.self)
            let number = try reader.readInt()
            let day = Day(number: Int(number))
            guard Int64(day.number) == number else { throw ScoreError.noSuchDay }
            try self.init(
                member: member, day: day, game: reader.read(GameID.self),
                gameName: reader.readText(max: Limits.titleBytes), score: Self.readNumber(&reader),
                maxAttempts: Self.number(reader.readUInt()), currentStreak: Self.readNumber(&reader),
                updatedAt: reader.readTime(), revision: Self.number(reader.readUInt()),
                isRemoved: reader.readBool())
            try reader.finish()
        } catch let error as ScoreError {
            throw error
        } catch {
            throw .malformed
        }
    }

    private static func readNumber(_ reader: inout CBORReader) throws -> UInt32? {
        try reader.readNullIfPresent() ? nil : number(reader.readUInt())
    }

    private static func number(_ value: UInt64) throws(ScoreError) -> UInt32 {
        guard let number = UInt32(exactly: value) else { throw .outOfRange }
        return number
    }
}
