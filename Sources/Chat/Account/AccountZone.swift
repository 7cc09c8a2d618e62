package import NodeCore
package import SyncState

/// An account's zone on this node: the replicated set, and the chat state derived from it.
///
/// The facade for a node, a command or a simulation: it passes records to the parts, each of which handles one family.
/// Confined to one thread; changes become durable with the next `commit`, and only then may anybody be told of them.
package final class AccountZone {
    private let context: AccountContext
    package let accountState: AccountStatePart
    package let details: DetailsPart
    package let groups: MembershipsPart
    package let inGroups: AccountInGroups
    package let achievements: AchievementsPart
    package let deletions: DeletionsPart
    package let reads: ReadMarkersPart
    package let devices: DevicesPart
    package let membership: ZoneMembership
    package let archive: ArchivePart
    package let lists: ListsPart
    package let removal: DeviceRemoval
    private let judge: RowJudge
    private let facts: ChainFactsPart
    package let opaque: OpaquePart
    private let parts: AccountParts

    /// Opens the zone, creating missing tables.
    ///
    /// - Parameter entrance: how this device enters the account; nil if it has entered before.
    /// - Throws: `DatabaseError` (also for a newer schema), `StoreError`.
    package init(
        database: Database, keys: AccountKeys, deviceSecret: Secret, entrance: AccountEntrance? = nil,
        random: any RandomSource, now: MonotonicTime
    ) throws {
        var firstTag: Bytes16?
        if case .paired(let device)? = entrance { firstTag = device.tag }
        context = try AccountContext(
            database: database, keys: keys, deviceSecret: deviceSecret, firstTag: firstTag, random: random, now: now)
        membership = try ZoneMembership(
            store: context.store, sealer: context.sealer, genesis: keys.genesis, first: keys.firstRoot,
            person: keys.identity, firstLane: .zero, random: context.random.split())
        accountState = try AccountStatePart(context)
        facts = ChainFactsPart(context)
        archive = ArchivePart(context)
        deletions = try DeletionsPart(context, archive)
        details = DetailsPart(context)
        groups = try MembershipsPart(context)
        inGroups = AccountInGroups(context, groups)
        achievements = AchievementsPart(context)
        reads = try ReadMarkersPart(context, archive, details, now: now)
        devices = try DevicesPart(context, membership)
        opaque = OpaquePart(context)
        lists = try ListsPart(context)
        judge = try RowJudge(context.store, membership, lists)
        judge.whenJudged = { [unowned deletions] in try deletions.bodies.noteGone(lane: $0) }
        removal = DeviceRemoval(context, membership, lists, devices, judge)
        let all: [any AccountPart] = [
            accountState, devices.names, facts, deletions, archive, details, groups, achievements, reads, devices,
            opaque, devices.forgotten, lists, inGroups.persons, inGroups.lanes, inGroups.entrances,
        ]
        parts = AccountParts(all, republishingFirst: [reads], last: [devices, devices.names])
        context.recordTypes = parts.recordTypes
        context.isAbandoned = { [unowned devices] in !devices.isPresent($0) }
        try context.store.attach(self)
        for part in parts.all { try part.reload() }
        try membership.enterIfNew(by: entrance)
    }

    package var keys: AccountKeys { context.keys }
    package var store: ZoneStore { context.store }
    package var sealer: RecordSealer { context.sealer }
    package var chat: ChatState { context.chat }
    /// The change feed for apps.
    package var changes: ChangeFeed { context.changes }
    var segments: StoredSegments { context.segments }

    package var accountID: AccountID { keys.accountID }
    /// Records of types unknown to this version. They are kept and forwarded.
    package var unknownRecords: Int { store.total.unknown }

    /// The user's settings; may be changed at any time.
    package var policy: AccountPolicy {
        get { context.policy }
        set { context.policy = newValue }
    }

    /// Decides when queued messages become segments.
    package var archivePolicy: ArchivePolicy {
        get { chat.queue.policy }
        set { chat.queue.policy = newValue }
    }

    // MARK: Messages

    /// Accepts a message that the app sent or received.
    ///
    /// - Parameter isHistory: it is one of many being imported, and the importer will cut them at the end.
    /// - Throws: `ChatMessageError` with the field and the limit; nothing is changed then.
    package func accept(_ message: ChatMessage, isHistory: Bool = false, now: MonotonicTime) throws -> Acceptance {
        try taking { try chat.add(message, isHistory: isHistory, now: now) }
    }

    private func taking<Outcome>(_ body: () throws -> Outcome) throws -> Outcome {
        try store.begin()
        defer {
            facts.publishLater()
            context.settleIfNamed()
        }
        return try body()
    }

    /// Accepts news from the chain about a message, held or not. The other devices learn it with the commit.
    ///
    /// - Throws: `ChatMessageError`, `ChatError.revisionsExhausted`; nothing is changed then.
    package func learn(_ event: ChainEvent, now: MonotonicTime) throws -> Acceptance {
        try taking { try chat.learn(event, now: now) }
    }

    /// An app knows that a message exists but lacks its body, after a push or an incomplete import. Durable with the
    /// next commit; does nothing if the body is held.
    ///
    /// - Throws: `ChatMessageError` with the field and the limit, `ChatError.tooManyStubs`; nothing is changed then.
    package func hint(_ stub: Stub) throws -> HintOutcome {
        try taking { try chat.hint(stub) }
    }

    /// Cuts what is due, or everything queued with `force`, and returns the number of segments written. While the
    /// account is paused nothing is due.
    @discardableResult
    package func cut(force: Bool, now: MonotonicTime) throws -> Int {
        guard chat.queuedCount > 0, force || pause == nil else { return 0 }
        return try archive.cut(force: force, now: now)
    }

    // MARK: A store that is an older copy, or one whose keys are lost

    /// Like `ZoneStore.checkGuard`, with a token of this zone.
    package func checkGuard(_ guardFile: [UInt8]?, place: [UInt8]) throws -> [UInt8] {
        try store.checkGuard(guardFile, place: place, token: context.random.identifier())
    }

    /// Takes over from a device whose keys are lost, and which is therefore gone.
    package func takeOver(from old: LaneID) throws {
        guard old != lane, store.lane(old) != nil else { return }
        try store.begin()
        try devices.forgotten.forget(old)
    }
}

// MARK: - Content

extension AccountZone: ZoneContent {
    package var rules: any RowRules { judge }

    package func open(_ record: Record) throws(RecordRejection) -> any RecordContent { try context.open(record) }

    package func added(_ content: any RecordContent, of record: Record, from origin: RecordOrigin) throws {
        if let sum = content.blobSum(of: record) {
            store.changeContent(of: record.lane) { lane in
                // Blobs written here are held.
                if origin.isOwn { lane.held = lane.held + sum } else { lane.wanted = lane.wanted + sum }
                lane.newest = max(lane.newest, content.newestMessage)
            }
        }
        if let part = parts.part(for: content) {
            try part.held(opened: content, in: record.lane)
        } else {
            store.changeContent(of: record.lane) { $0.unknown += 1 }
        }
    }

    package func removed(_ record: Record) throws {
        guard record.kind == .register || record.blob != nil, let content = try? open(record) else { return }
        if let sum = content.blobSum(of: record) {
            store.changeContent(of: record.lane) { $0.wanted = $0.wanted - sum }
        }
        guard let part = parts.part(for: content) else { return forgetUnknown(record) }
        if record.kind == .register { try part.lost(opened: content, in: record.lane) }
    }

    package func withdrawn(_ record: Record) throws {
        guard let content = try? open(record) else { return }
        if let sum = content.blobSum(of: record) {
            store.changeContent(of: record.lane) { $0.wanted = $0.wanted - sum }
        }
        if let meta = content as? SegmentMeta {
            deletions.settleAgain(.conversation(meta.name.conversationID))
            changes.note(.conversation, conversation: meta.name.conversationID)
        }
        guard let part = parts.part(for: content) else { return forgetUnknown(record) }
        try part.withdrawn(opened: content, in: record.lane)
    }

    package func rowsLost(in lane: LaneID) { context.lostLanes.insert(lane) }

    private func forgetUnknown(_ record: Record) {
        store.changeContent(of: record.lane) { $0.unknown = max(0, $0.unknown - 1) }
    }

    package func blobAdded(
        _ blob: UnsafeRawBufferPointer, arrival: Int64, of record: Record, from origin: RecordOrigin
    ) throws {
        // Content written here is already known, and the cut itself indexes a segment.
        if origin.isOwn { return record.kind == .segment ? () : try chat.passed(UInt64(arrival)) }
        let meta = segments.meta(of: record)
        let sum = BlobSum(blobs: 1, messages: meta?.messageCount ?? 0, bytes: blob.count)
        store.changeContent(of: record.lane) { content in
            content.wanted = content.wanted - sum
            content.held = content.held + sum
        }
        store.fetched = store.fetched + sum
        if let meta {
            try deletions.noteReturn(of: record)
            return try archive.arrived(blob, arrival: UInt64(arrival), of: record, meta)
        }
        if let content = try? open(record) { try parts.part(for: content)?.blobCame(blob, of: record) }
        try chat.passed(UInt64(arrival))
    }

    package func blobRemoved(arrival: Int64, of record: Record) throws {
        try blobSetAside(of: record)
        try archive.removed(arrival: arrival, of: record)
        if record.kind == .segment { deletions.bodies.noteGone(blobOf: record) }
        if record.kind == .immutable { try lists.blobWent(arrival: arrival) }
    }

    package func blobSetAside(of record: Record) throws {
        let messages = segments.meta(of: record)?.messageCount ?? 0
        // As long as its row stays, it is wanted again.
        let sum = BlobSum(blobs: 1, messages: messages, bytes: record.blob?.sizeBytes ?? 0)
        store.changeContent(of: record.lane) { content in
            content.held = content.held - sum
            content.wanted = content.wanted + sum
        }
    }

    package func blobHidden(arrival: Int64, of record: Record?) throws {
        try archive.removed(arrival: arrival, of: record)
        if record?.kind == .segment { deletions.bodies.noteHidden(arrival) }
    }

    /// The newest blob may have been dropped since it was indexed. Another one with its number would then pass for
    /// indexed.
    package var highestArrival: Int64 { Int64(chat.index.flushed.arrival) }

    package func republish(from old: LaneID) throws {
        chat.lane = lane
        // The store may be an older copy whose further changes differ from those that readers saw.
        try changes.renew()
        for part in parts.republished { try part.republish(from: old) }
    }

    package func settleValues() throws {
        for lane in context.lostLanes.sorted() {
            for part in parts.all { try part.rowsLost(in: lane) }
        }
        context.lostLanes = []
        for part in parts.all { try part.settle() }
    }

    package func mendDerived(_ cursor: inout DerivedCursor) throws -> [String] {
        try store.begin()
        guard cursor.part < chat.derivedParts else { return try RecordCheck(context, parts).check(&cursor) }
        return try chat.mendIndex(&cursor) ? ["the index of messages was damaged; rebuilt from segments and queue"] : []
    }

    package func countLost() throws -> Int { try chat.countUnreadableQueued() }
}

// MARK: - Replicated

extension AccountZone: ReplicatedZone {
    package var zone: ZoneID { keys.zone }

    package var zoneAccess: ZoneAccess {
        let revision = membership.records.revision
        return ZoneAccess(
            keys: membership.placeKeys, pause: pause, isOver: membership.hasEnded, isAsking: membership.isAsking,
            standings: revision, takings: revision &+ lists.revision)
    }

    package var tellsTime: Bool { true }

    /// Nil while sync is not paused.
    package var pause: ZonePause? { accountState.pause }

    package var hasQueued: Bool { chat.queuedCount > 0 }

    /// Devices of the account with an open session, ascending. Set by the owner of the sessions.
    package var connectedDevices: [LaneID] {
        get { devices.connected }
        set {
            devices.connected = newValue
            membership.connected = newValue
        }
    }

    /// Does timed work: learns and gives out roots, cuts segments, publishes reads, shows that this device is alive,
    /// and rewrites segments with deleted messages.
    package func work(now: MonotonicTime) throws {
        try membership.work(now: now)
        if let due = cutDeadline, due <= now { try cut(force: false, now: now) }
        try reads.work(now: now)
        try deletions.work()
        try store.purgeAside()
        for arrival in chat.takeSuspects() { try store.verify(arrival: Int64(arrival)) }
        try devices.describeAgain()
        try devices.showSignOfLife(now: now)
    }

    package var deadline: MonotonicTime? {
        deletions.hasRecuts || chat.hasSuspects
            ? .zero
            : [cutDeadline, reads.deadline, devices.signOfLifeDeadline, changes.deadline, membership.deadline]
                .compactMap(\.self).min()
    }

    /// While the account is paused the queue waits.
    private var cutDeadline: MonotonicTime? { pause == nil ? chat.nextCutDeadline : nil }

    package func finish(now: MonotonicTime) throws {
        try reads.publishReads()
        try cut(force: pause == nil, now: now)
    }

    package func commit() throws {
        if membership.isSucceeded { try store.startAfresh(.succeeded) }
        try judge.settle()
        try lists.listOwn()
        try store.commit()
    }

    package func rollback() throws {
        try store.rollback()
        try membership.reload()
        chat.lane = lane
        context.lostLanes = []
        for part in parts.all { try part.reload() }
        try judge.reload()
    }

    package func tidy() throws {
        try chat.flush()
        try store.tidy()
    }

    package func probe() throws {
        try store.probe()
        try commit()
        chat.noteRoom()
    }
}

/// How devices of an account answer each other about stubs.
extension AccountZone: MissedMessages {
    package var messages: (any MissedMessages)? { self }

    package func takeFreshlyMissed() -> [TxID] { chat.stubs.takeFresh() }

    package func isMissed(_ txid: TxID) -> Bool { chat.stubs.contains(txid) }

    package func missed(perhapsIn record: Record) -> [TxID] {
        guard !chat.stubs.isEmpty, let meta = segments.meta(of: record) else { return [] }
        return chat.stubs.candidates(in: meta)
    }

    package func record(holding txid: TxID) throws -> Record? {
        guard let arrival = try chat.arrival(holding: txid) else { return nil }
        return try store.record(ofArrival: Int64(arrival))
    }

    package func cut(holding txids: [TxID], now: MonotonicTime) throws { try archive.cut(holding: txids) }
}
