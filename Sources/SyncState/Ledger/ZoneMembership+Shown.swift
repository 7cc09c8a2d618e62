package import Ledger
import NodeCore

/// Control records as devices show them to each other: encoded, one after the other.
extension ZoneMembership {
    package static func encode(_ records: [LedgerRecord]) -> [UInt8] { records.flatMap(\.encoded) }

    /// Decodes at most `most` encoded values; nil for anything else.
    package static func decode(_ bytes: [UInt8], most: Int = Limits.shownRecords) -> [[UInt8]]? {
        var reader = CBORReader(bytes)
        var records: [[UInt8]] = []
        while reader.remaining > 0 {
            guard records.count < most, let range = try? reader.skip() else { return nil }
            records.append(reader.copy(range))
        }
        return records
    }
}
