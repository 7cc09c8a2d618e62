package import NodeCore

/// The durable set of a zone's records and blobs: a join of everything it was given, in any order.
///
/// Confined to the node's thread. Each mutation belongs to a transaction that opens by itself and ends with `commit`;
/// peers are only told what was committed before (docs/STORAGE.md, §5).
package final class ZoneStore {
    package let database: Database
    let sealer: RecordSealer
    /// The device's own keys here; they change when it starts afresh.
    package internal(set) var device: DeviceKeys
    /// Records written here since they were last taken, each with the head before it, to be announced.
    package internal(set) var written: [(since: UInt64, record: Record)] = []
    /// Fresh starts since they were last taken.
    package internal(set) var freshStarts: [FreshStart] = []
    /// Lanes whose entry in the vector changed since the last commit.
    package internal(set) var changedLanes: Set<LaneID> = []

    /// Runs inside the next commit, before anything else. If it throws, nothing is committed.
    package var beforeCommit: (() throws -> Void)? { didSet { isPrepared = false } }
    private var isPrepared = false
    /// Called for each record written here: the ledger of a simulation.
    package var didWrite: ((Record) -> Void)?

    let statements: ZoneStatements
    let deviceSecret: Secret
    var random: any RandomSource
    weak var attached: (any ZoneContent)?
    var content: any ZoneContent {
        guard let attached else { preconditionFailure("invariant: the store has its content") }
        return attached
    }
    /// Takes part in each commit; nil if there is no observer.
    package var observer: (any CommitObserver)?
    var lanes: [LaneState] = [] { didSet { revision &+= 1 } }
    /// Changes whenever anything about a lane may have changed. Values computed from the vector stay valid until then.
    package private(set) var revision: UInt64 = 0
    var knownDigest: (revision: UInt64, digest: ZoneDigest)?
    package var numbers: [LaneID: Int] = [:]
    /// Totals of each lane, by its number. Kept apart from the lanes, whose changes make vectors stale.
    var contents: [LaneContent] = []
    /// Lanes whose totals must be recounted.
    var uncounted: [Int] = []
    var dirtyLanes: Set<Int> = []
    /// Whether a transaction was begun that we neither committed nor rolled back.
    private var isOpen = false
    var slots: SlotIndex
    var chunks: ChunkIndex
    var nextArrival: Int64 = 1
    var segmentTags = SegmentTags()
    /// Missing blobs and held rows, kept so that `status` need not count.
    package internal(set) var wantedCount = 0
    package internal(set) var recordCount = 0
    /// Blobs received from peers since the start.
    package var fetched = BlobSum()
    /// Rows read so far: a node uses it to measure the cost of a request.
    package internal(set) var scannedRows: UInt64 = 0
    package var mustSettle = false
    package let aside: SupersededRows
    package let signatures: RowSignatures
    /// Blobs found without their row, by the row that they were stored for.
    var orphans: [RowID: Int64] = [:]
    private var times = StoreTimes()
    package var zone: ZoneID { sealer.zone }
    package var rules: any RowRules { content.rules }
    /// Set on each turn by the owner of the clock.
    package var wall: WallTime { times.wall }
    /// How long nodes ran on this store in total, by their monotonic clocks. Anything kept for a while is kept for as
    /// long as somebody could have used it, whatever the date. A crash can lose some of this time.
    package var runningTime: Duration { times.running.total }

    /// Opens the zone's part of a database to which `ZoneSchema.migration` was applied.
    ///
    /// - Parameter firstTag: that of the device's lane in a new store; nil for a random one.
    package init(
        database: Database, sealer: RecordSealer, deviceSecret: Secret, firstTag: Bytes16? = nil,
        random: any RandomSource
    ) throws {
        self.database = database
        self.sealer = sealer
        self.deviceSecret = deviceSecret
        self.random = random
        statements = try ZoneStatements(database)
        slots = try SlotIndex(database: database)
        chunks = try ChunkIndex(database: database)
        aside = try SupersededRows(database)
        signatures = RowSignatures(zone: sealer.zone)
        let tag: Bytes16
        if let stored = try Self.setting("device", statements), let held = Bytes16(bytes: stored) {
            tag = held
        } else {
            tag = firstTag ?? Self.newTag(&self.random)
            try Self.put("device", tag.bytes, statements)
        }
        device = DeviceKeys(deviceSecret: deviceSecret, tag: tag)
        times.running = RunningTime(encoded: try Self.setting("running", statements))
        try load()
    }

    /// Sets the meaning of the records. Call it before anything else.
    package func attach(_ content: any ZoneContent) throws {
        attached = content
        signatures.content = content
        try countArrivals(after: max(latestArrival, content.highestArrival))
        try countUncounted()
    }

    /// Discards uncommitted state and reads it again: after a rollback.
    package func reload() throws {
        written = []
        freshStarts = []
        changedLanes = []
        dirtyLanes = []
        isPrepared = false
        segmentTags = SegmentTags()
        if let stored = try Self.setting("device", statements), let tag = Bytes16(bytes: stored), tag != device.tag {
            device = DeviceKeys(deviceSecret: deviceSecret, tag: tag)
        }
        try load()
    }

    private func countArrivals(after latest: Int64) throws(StoreError) {
        guard 0...Limits.highestArrival ~= latest else { throw .damaged("the number of a blob") }
        nextArrival = latest + 1
    }

    private func load() throws {
        slots.forgetTail()
        chunks.forget()
        lanes = []
        contents = []
        uncounted = []
        numbers = [:]
        let query = statements.allLanes
        defer { query.reset() }
        while try query.step() {
            guard let id = LaneID(bytes: query.blob(1)) else { throw StoreError.damaged("a lane's id") }
            var lane = LaneState(id: id, number: Int(try query.count(0)))
            lane.reached = try query.count(2)
            lane.target = try query.count(3)
            guard let fingerprint = Fingerprint(bytes: query.blob(5)) else {
                throw StoreError.damaged("a lane's fingerprint")
            }
            lane.rows = Int(try query.count(4))
            lane.fingerprint = fingerprint
            lane.isForked = query.int(6) != 0
            lane.slotted = try query.count(7)
            guard lane.number == lanes.count, max(lane.reached, lane.target, lane.slotted) <= Limits.highestSeq else {
                throw StoreError.damaged("the numbers of the lanes")
            }
            let stored = LaneContent(encoded: query.blob(8))
            if stored == nil { uncounted.append(lane.number) }
            numbers[id] = lane.number
            lanes.append(lane)
            contents.append(stored ?? LaneContent())
        }
        for number in lanes.indices {
            lanes[number].highest = try highestSeq(lane: number)
            try loadSlotTail(lane: number)
        }
        try countArrivals(after: max(try statements.highestBlob.number(), attached?.highestArrival ?? 0))
        wantedCount = Int(try statements.wantedCount.number())
        try aside.load()
        recordCount = lanes.reduce(0) { $0 + $1.rows }
        try countUncounted()
        // Begins no transaction: tables that other users of the file write at the start must not be undone with a first
        // commit that fails, and after a rollback a store that takes nothing is left alone. The next commit writes it.
        if numbers[device.lane] == nil {
            guard !hasAllLanes(for: device.lane) else { throw RecordRejection.overLimit }
            enter(lane: device.lane)
        }
    }

    /// Sets the time of the following work. Called on each turn by the owner of the clocks.
    package func setTime(now: MonotonicTime, wall: WallTime) {
        times.wall = wall
        times.running.advance(to: now)
        observer?.now = now
        observer?.wall = wall
    }

    // MARK: Transactions

    /// Opens the turn's transaction unless it is open.
    package func begin() throws {
        guard !database.inTransaction else { return }
        // Earlier writes are gone, and those waiting for the commit must learn of it.
        if isOpen { throw DatabaseError.undone }
        try database.begin()
        isOpen = true
    }

    /// Whether changes wait for `commit`.
    package var hasUncommitted: Bool { isOpen || database.inTransaction }

    /// Whether changes wait for `commit`, or will when their window ends.
    package var awaitsCommit: Bool { hasUncommitted || observer?.deadline != nil }

    /// Writes everything that waits for its window with the next commit.
    package func cutWindow() { observer?.cutWindow() }

    /// Does the work that must precede everything else in the next commit's transaction.
    package func prepareCommit() throws {
        try begin()
        guard let beforeCommit, !isPrepared else { return }
        try beforeCommit()
        isPrepared = true
    }

    /// Starts afresh if necessary, and makes all changes durable.
    package func commit() throws {
        guard hasUncommitted || observer?.isDue == true else { return }
        try prepareCommit()
        if mustSettle { try settle() }
        try aside.keepShares(own: ownNumber)
        try settleFingerprints()
        if slots.tailCount >= Limits.slotTailEntries { try flushSlots() }
        for number in dirtyLanes.sorted() { try write(lanes[number]) }
        if times.running.isDue { try Self.put("running", times.running.encoded, statements) }
        try observer?.write()
        try database.commit()
        times.running.noteCommit()
        isOpen = false
        beforeCommit = nil
        dirtyLanes = []
    }

    package func rollback() throws {
        // Also if SQLite has rolled back by itself: the chat state notices by the count that its memory is stale.
        database.rollback()
        isOpen = false
        try reload()
        try observer?.synchronise()
    }

    /// Writes data that would otherwise be derived again at the next start. Called when idle and at the end.
    package func tidy() throws {
        guard slots.tailCount > 0 else { return }
        try begin()
        try flushSlots()
        try commit()
    }

    private func flushSlots() throws {
        try slots.flush()
        for number in lanes.indices where lanes[number].slotted < lanes[number].head {
            lanes[number].slotted = lanes[number].head
            dirtyLanes.insert(number)
        }
    }

    func loadSlotTail(lane number: Int) throws {
        guard lanes[number].slotted < lanes[number].highest else { return }
        try forEachRow(lane: number, from: lanes[number].slotted + 1, through: Limits.highestSeq) { row, encoded in
            guard let record = try? Record(encoded: encoded), record.kind.isSuperseded else { return }
            slots.recall(lane: number, slot: record.slot, row: row)
        }
    }

    private func write(_ lane: LaneState) throws {
        let statement = statements.putLane
        try statement.run(
            Int64(lane.number), lane.id.bytes, Int64(lane.reached), Int64(lane.target), Int64(lane.rows),
            lane.fingerprint.bytes, lane.isForked ? 1 : 0, Int64(lane.slotted), contents[lane.number].encoded)
    }

    // MARK: Settings

    /// Tests whether the store can be written, by writing.
    package func probe() throws {
        // A small write would still succeed, and the batch that failed would only be sent again.
        if try database.isAtItsBound() { throw DatabaseError.quotaIsUsed }
        try put(setting: "probe", [])
    }

    package func setting(_ name: String) throws -> [UInt8]? { try Self.setting(name, statements) }

    package func put(setting name: String, _ value: [UInt8]) throws {
        try begin()
        try Self.put(name, value, statements)
    }

    private static func setting(_ name: String, _ statements: ZoneStatements) throws -> [UInt8]? {
        try statements.getSetting.first(name) { $0.blob(0) }
    }

    private static func put(_ name: String, _ value: [UInt8], _ statements: ZoneStatements) throws {
        try statements.putSetting.run(name, value)
    }

    static func newTag(_ random: inout any RandomSource) -> Bytes16 {
        random.identifier()
    }
}

/// A device's change to a new key.
package struct FreshStart: Sendable {
    package let old: LaneID
    package let new: LaneID
    package let reason: Reason

    package enum Reason: String, Sendable {
        case forked = "another copy of this device wrote its lane"
        case succeeded = "another copy of this device continued in a new lane"
        case guardMismatch = "this store was restored or copied"
        case full = "this device's lane has no room for more control records"
        case clone = "another running device has this device's key"
    }
}
