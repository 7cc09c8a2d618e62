import NodeCore
import SyncState

/// The account's achievements: a register a device, and what all that ever arrived say together.
extension AccountZone {
    private static let achievementsKey = "achievements"

    /// What all devices say together.
    package var achievements: AchievementSet { knownAchievements }

    /// Takes achievements in; what they say of each is joined with what is known.
    ///
    /// - Throws: `AchievementError.tooMany` where all together would be more than a record's blob holds; nothing is
    ///   changed then.
    /// - Returns: whether they said anything new.
    @discardableResult
    package func merge(_ achievements: AchievementSet) throws -> Bool {
        var merged = knownAchievements
        merged.merge(achievements)
        guard merged != knownAchievements else { return false }
        let payload = try merged.encoded()
        try store.begin()
        try keep(merged, payload)
        try write(merged, payload)
        return true
    }

    /// A register arrived, or the blob of one: it counts, whether or not its row is kept.
    func join(_ payload: [UInt8]) throws {
        // Another device may write what cannot be read here, or more than fits together: that device's word is then
        // kept as a record, and not joined.
        guard let achievements = try? AchievementSet(encoded: payload) else { return }
        areAchievementsSuspect = true
        store.mustSettle = true
        var merged = knownAchievements
        merged.merge(achievements)
        guard merged != knownAchievements, let joined = try? merged.encoded() else { return }
        try keep(merged, joined)
    }

    /// Raises this device's register where the live ones show less than all that ever arrived.
    func raiseAchievements() throws {
        guard areAchievementsSuspect else { return }
        var live = AchievementSet()
        for record in try store.liveRegisters(slotName: AchievementRecord.slotName) {
            // What is still to come may say all of it: its arrival asks again.
            guard let payload = try achievementPayload(of: record) else { return }
            if let achievements = try? AchievementSet(encoded: payload) { live.merge(achievements) }
        }
        areAchievementsSuspect = false
        guard live != knownAchievements, knownAchievements.count > 0 else { return }
        try write(knownAchievements, try knownAchievements.encoded())
    }

    /// Writes this device's register anew in its new lane.
    func republishAchievements() throws {
        guard knownAchievements.count > 0 else { return }
        try write(knownAchievements, try knownAchievements.encoded())
    }

    /// The payload in a record's blob that just arrived.
    func achievementBlob(_ blob: UnsafeRawBufferPointer, of record: Record) throws {
        guard (try? open(record)) is AchievementRecord,
            let payload = openAchievements(blob, record.header)
        else { return }
        try join(payload)
    }

    func loadAchievements() throws {
        areAchievementsSuspect = false
        guard let sealed = try store.setting(Self.achievementsKey), !sealed.isEmpty else {
            knownAchievements = AchievementSet()
            return
        }
        do {
            let payload = try XChaChaPoly.open(sealed, associatedData: zone.bytes, key: localKey)
            knownAchievements = try AchievementSet(encoded: payload)
        } catch {
            throw StoreError.damaged("the achievements")
        }
    }

    // MARK: Parts

    private func keep(_ achievements: AchievementSet, _ payload: [UInt8]) throws {
        let sealed = XChaChaPoly.seal(payload, associatedData: zone.bytes, key: localKey, random: &random)
        try store.put(setting: Self.achievementsKey, sealed)
        knownAchievements = achievements
        changes.note(.achievements)
    }

    /// Seals what is kept beside the records.
    private var localKey: Secret { HKDF.derive(keys.queueKey, "local/achievements") }

    private func write(_ achievements: AchievementSet, _ payload: [UInt8]) throws {
        let isInline = AchievementRecord.fits(payload, beside: achievements)
        let fields = AchievementRecord(achievements, payload: isInline ? payload : nil)
        let meta = RecordMeta(type: .achievements, fields: fields.encoded)
        guard !isInline else {
            try store.write(meta, slotName: AchievementRecord.slotName, kind: .register)
            return
        }
        try store.write(meta, slotName: AchievementRecord.slotName, kind: .register) { header in
            XChaChaPoly.seal(
                payload, associatedData: header.blobAssociatedData, key: self.achievementKey(header.keyVersion),
                random: &self.random)
        }
    }

    private func achievementKey(_ version: UInt64) -> Secret {
        HKDF.derive(sealer.version(version).archive, "achievements")
    }

    private func openAchievements(_ blob: UnsafeRawBufferPointer, _ header: RecordHeader) -> [UInt8]? {
        let key = achievementKey(header.keyVersion)
        return header.blobAssociatedData.withUnsafeBytes {
            try? XChaChaPoly.open(blob, associatedData: $0, key: key)
        }
    }

    /// Nil while it is in a blob that is not here.
    private func achievementPayload(of record: Record) throws -> [UInt8]? {
        guard let fields = try? open(record) as? AchievementRecord else { return [] }
        if let payload = fields.payload { return payload }
        guard let blob = record.blob,
            let bytes = try store.blob(of: record.lane, seq: record.seq, hashPrefix: blob.hash.shortPrefix)
        else { return nil }
        return bytes.withUnsafeBytes { openAchievements($0, record.header) } ?? []
    }
}
