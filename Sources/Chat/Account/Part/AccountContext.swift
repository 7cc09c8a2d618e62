import NodeCore
import SyncState

/// Shared by the parts of an account's zone: where they write, and whom they notify.
final class AccountContext {
    let keys: AccountKeys
    let database: Database
    let store: ZoneStore
    let sealer: RecordSealer
    let segments: StoredSegments
    let chat: ChatState
    let changes: ChangeFeed
    var random: any RandomSource
    var policy = AccountPolicy()
    /// The parts' types of content, by `MetaType`. Set before any record is opened.
    var recordTypes: [UInt64: any AccountRecord.Type] = [:]
    /// Whether a lane's device no longer writes it. Set before any record is opened.
    var isAbandoned: (LaneID) -> Bool = { _ in false }
    /// Lanes that lost rows since values were last settled.
    var lostLanes: Set<LaneID> = []

    /// Opens store, chat and feed in a database, creating missing tables.
    init(
        database: Database, keys: AccountKeys, deviceSecret: Secret, firstTag: Bytes16?, random: any RandomSource,
        now: MonotonicTime
    ) throws {
        var random = random
        try database.migrate("zone", ZoneSchema.migrations)
        sealer = RecordSealer(keys)
        store = try ZoneStore(
            database: database, sealer: sealer, deviceSecret: deviceSecret, firstTag: firstTag, random: random.split())
        segments = StoredSegments(store: store, sealer: sealer)
        chat = try ChatState(
            database: database, lane: store.device.lane, queueKey: keys.queueKey, source: segments,
            random: random.split(), now: now)
        self.keys = keys
        self.database = database
        self.random = random
        changes = try ChangeFeed(database: database, random: random.split(), now: now)
        store.observer = changes
        chat.changes = changes
    }

    /// The lane that this device writes.
    var lane: LaneID { store.device.lane }

    /// Makes the commit look at deletions and marks that name messages which came, moved or went.
    func settleIfNamed() {
        if chat.conversations.hasNews { store.mustSettle = true }
    }

    // MARK: Records

    /// Opens and checks a record.
    func open(_ record: Record) throws(RecordRejection) -> any RecordContent {
        // Rows of accounts follow none.
        guard record.header.prev == nil else { throw .malformedFields }
        let meta = try sealer.open(record)
        guard let type = recordTypes[meta.type] else { return UnknownContent() }
        guard let content = try? type.init(fields: meta.fields, hasBlob: record.blob != nil), type.kind == record.kind
        else { throw .malformedFields }
        guard sealer.slot(named: content.slotName(in: record.lane), tag: meta.tag) == record.slot else {
            throw .foreignSlot
        }
        return content
    }

    /// The content of a record, if it is of this type and readable.
    func read<Content: AccountRecord>(_ record: Record, as type: Content.Type = Content.self) -> Content? {
        (try? open(record)) as? Content
    }

    /// The readable registers that the store holds in a slot, one per lane.
    func registers<Content: AccountRecord>(
        _ type: Content.Type = Content.self, slotName: String
    ) throws -> [(lane: LaneID, content: Content)] {
        try store.liveRegisters(slotName: slotName).compactMap { record in
            read(record, as: type).map { (record.lane, $0) }
        }
    }

    /// Writes the registers that a former lane of this device has of this type again, in its present lane.
    func rewrite<Content: AccountRecord>(_ type: Content.Type, from old: LaneID) throws {
        for record in try store.liveRegisters(of: old) {
            if let content = read(record, as: type) { try write(content) }
        }
    }

    /// Writes a record of this device. Refuses fields that other devices would not accept.
    ///
    /// - Parameters:
    ///   - tag: random, if each record or each writer takes a slot of its own.
    ///   - sealBlob: seals the payload under the header's `blobAssociatedData`.
    @discardableResult
    func write<Content: AccountRecord>(
        _ content: Content, tag: Bytes16 = .zero, sealBlob: ((RecordHeader) throws -> [UInt8])? = nil
    ) throws -> Record {
        let fields = content.encoded
        guard let content = try? Content(fields: fields, hasBlob: sealBlob != nil) else {
            throw RecordRejection.malformedFields
        }
        return try store.write(
            RecordMeta(type: Content.metaType, tag: tag, fields: fields), of: content,
            slotName: content.slotName(in: lane), kind: Content.kind, sealBlob: sealBlob)
    }
}

/// The user's settings for reads of an account.
package struct AccountPolicy: Hashable, Sendable {
    /// Reads are published after nothing was marked for this long.
    package var quiet: Duration

    package init(quiet: Duration = Limits.quietBeforePublishing) { self.quiet = quiet }
}
