import Ledger
package import NodeCore
import SyncState

/// The account's achievements: one register per device, and the join of all.
package final class AchievementsPart: JoinedPart {
    private static let setting = "achievements"

    let context: AccountContext
    var suspects: Set<WholeAccount> = []
    /// The join of all devices' achievements.
    package private(set) var known = AchievementSet()
    /// Own values that a copy of this device has replaced since the last commit. They are written again after a fresh
    /// start.
    private var replaced = AchievementSet()

    init(_ context: AccountContext) { self.context = context }

    /// Joins achievements with those known.
    ///
    /// - Throws: `AchievementError.tooMany` if the result would not fit a record's blob; nothing is changed then.
    /// - Returns: whether anything was new.
    @discardableResult
    package func merge(_ achievements: AchievementSet) throws -> Bool {
        let merged = known.merged(with: achievements)
        guard merged != known else { return false }
        _ = try merged.encoded()
        try context.store.begin()
        try write(try said(in: context.lane).merged(with: achievements))
        try follow(merged, about: WholeAccount())
        return true
    }

    // MARK: Registers

    func held(_ content: AchievementRecord, in lane: LaneID) throws {
        if let payload = content.payload { try join(payload) }
    }

    func blobCame(_ blob: UnsafeRawBufferPointer, of record: Record) throws {
        if let payload = open(blob, record) { try join(payload) }
    }

    /// Another device may write achievements that cannot be read here, or too many to combine: they are kept as a
    /// record, and not joined.
    private func join(_ payload: [UInt8]) throws {
        if let achievements = try? AchievementSet(encoded: payload) {
            try follow(known.merged(with: achievements), about: WholeAccount())
        }
    }

    func settle() throws {
        replaced = AchievementSet()
        guard !suspects.isEmpty else { return }
        // A missing blob may contain all of them: its arrival triggers this check again.
        for record in try liveRecords() where try payload(of: record) == nil { return }
        suspects = []
        try follow(try live(WholeAccount()), about: WholeAccount())
    }

    func follow(_ live: AchievementSet?, about subject: WholeAccount) throws {
        guard let live, live != known, let payload = try? live.encoded() else { return }
        try keep(live, payload)
    }

    func lost(_ content: AchievementRecord, in lane: LaneID) throws {
        suspect(WholeAccount())
        guard lane == context.lane, let payload = content.payload else { return }
        if let said = try? AchievementSet(encoded: payload) { replaced = replaced.merged(with: said) }
    }

    func republish(from old: LaneID) throws {
        let said = try said(in: old).merged(with: replaced)
        if said.count > 0 { try write(said) }
    }

    func isTaken(_ content: AchievementRecord, in lane: LaneID) throws -> Bool {
        guard let payload = content.payload, let said = try? AchievementSet(encoded: payload) else { return true }
        let joined = known.merged(with: said)
        return joined == known || (try? joined.encoded()) == nil
    }

    /// Makes this device repeat what no register says any more.
    func rowsLost(in lane: LaneID) throws {
        guard lane == context.lane, let live = try live(WholeAccount()), live.merged(with: known) != live else {
            return
        }
        try write(try said(in: lane).merged(with: known))
    }

    func subject(of content: AchievementRecord) -> WholeAccount { WholeAccount() }

    func live(_ subject: WholeAccount) throws -> AchievementSet? {
        try liveRecords().reduce(AchievementSet()) { live, record in
            guard let payload = try payload(of: record), let said = try? AchievementSet(encoded: payload) else {
                return live
            }
            return live.merged(with: said)
        }
    }

    /// The achievements that a lane's device wrote. It repeats nothing of the others', whose records may stop counting.
    private func said(in lane: LaneID) throws -> AchievementSet {
        guard let record = try liveRecords().first(where: { $0.lane == lane }),
            let payload = try payload(of: record)
        else { return AchievementSet() }
        return (try? AchievementSet(encoded: payload)) ?? AchievementSet()
    }

    private func liveRecords() throws -> [Record] {
        try context.store.liveRegisters(slotName: AchievementRecord.slotName)
    }

    func write(_ achievements: AchievementSet) throws {
        let payload = try achievements.encoded()
        guard !AchievementRecord.fits(payload, beside: achievements) else {
            try context.write(AchievementRecord(achievements, payload: payload))
            return
        }
        try context.write(AchievementRecord(achievements, payload: nil)) { header in
            XChaChaPoly.seal(
                payload, associatedData: header.blobAssociatedData, key: Self.key(self.context.sealer.current),
                random: &self.context.random)
        }
    }

    /// Nil if it is in a blob that is not here; empty if it cannot be read.
    private func payload(of record: Record) throws -> [UInt8]? {
        guard let fields = context.read(record, as: AchievementRecord.self) else { return [] }
        if let payload = fields.payload { return payload }
        guard let blob = record.blob,
            let bytes = try context.store.blob(
                of: record.lane, seq: record.seq, hashPrefix: blob.hash.shortPrefix)
        else { return nil }
        return bytes.withUnsafeBytes { open($0, record) } ?? []
    }

    private func open(_ blob: UnsafeRawBufferPointer, _ record: Record) -> [UInt8]? {
        guard let root = context.sealer.root(of: record) else { return nil }
        return record.header.blobAssociatedData.withUnsafeBytes {
            try? XChaChaPoly.open(blob, associatedData: $0, key: Self.key(root))
        }
    }

    private static func key(_ root: ZoneRoot) -> Secret { HKDF.derive(root.archive, "achievements") }

    // MARK: Local storage

    private func keep(_ achievements: AchievementSet, _ payload: [UInt8]) throws {
        let sealed = XChaChaPoly.seal(
            payload, associatedData: context.keys.zone.bytes, key: localKey, random: &context.random)
        try context.store.put(setting: Self.setting, sealed)
        known = achievements
        context.changes.note(.achievements)
    }

    func reload() throws {
        (suspects, replaced) = ([], AchievementSet())
        guard let sealed = try context.store.setting(Self.setting), !sealed.isEmpty else {
            known = AchievementSet()
            return
        }
        do {
            let payload = try XChaChaPoly.open(sealed, associatedData: context.keys.zone.bytes, key: localKey)
            known = try AchievementSet(encoded: payload)
        } catch {
            throw StoreError.damaged("the achievements")
        }
    }

    /// Seals local data stored beside the records.
    private var localKey: Secret { HKDF.derive(context.keys.queueKey, "local/achievements") }
}

/// The fields of an `Achievements` record: `[payloadVersion, lastUpdated, summary, payload / null]`. A payload that is
/// too large for a record is in its blob; the summary can be read without it.
package struct AchievementRecord: Sendable {
    package let payloadVersion: UInt64
    /// The latest update of all achievements.
    package let lastUpdated: WallTime
    /// `CategorySummary.encode`
    package let summary: [UInt8]
    /// Nil if it is in the blob.
    package let payload: [UInt8]?

    package static let slotName = "achievements"

    init(_ set: AchievementSet, payload: [UInt8]?) {
        payloadVersion = set.version
        lastUpdated = set.lastUpdated ?? WallTime(milliseconds: 0)
        summary = CategorySummary.encode(set.summary)
        self.payload = payload
    }

    /// Whether a payload fits into the record itself.
    static func fits(_ payload: [UInt8], beside set: AchievementSet) -> Bool {
        payload.count + CategorySummary.encode(set.summary).count <= Limits.achievementInlineBytes
    }

    package var encoded: [UInt8] {
        CBORWriter.array(
            capacity: 64 + summary.count + (payload?.count ?? 0), payloadVersion, lastUpdated, summary, payload)
    }

    package init(fields: [UInt8], hasBlob: Bool) throws {
        var reader = try CBORReader(fields, array: 4)
        payloadVersion = try reader.readUInt()
        lastUpdated = try reader.readTime()
        summary = try reader.readBytes(max: SyncState.Limits.recordSizeBytes)
        payload = try reader.readNullIfPresent() ? nil : reader.readBytes(max: SyncState.Limits.recordSizeBytes)
        try reader.finish()
        guard (payload == nil) == hasBlob else { throw AchievementError.malformed }
    }
}

extension AchievementRecord: AccountRecord {
    package static var metaType: MetaType { .achievements }
    package func slotName(in lane: LaneID) -> [UInt8] { Array(Self.slotName.utf8) }
}
