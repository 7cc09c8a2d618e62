package import NodeCore
package import SyncState

/// An account's zone on this node: the replicated set, and the chat state that follows from it.
///
/// The facade that a node, a command or a simulation works with. Confined to one thread; what a call changes becomes
/// durable with the next `commit`, and only then may anybody be told of it.
package final class AccountZone {
    package let keys: AccountKeys
    package let store: ZoneStore
    package let sealer: RecordSealer
    package let chat: ChatState
    /// What apps are told of changes.
    package let changes: ChangeFeed
    let database: Database
    let segments: StoredSegments
    let unpublished: UnpublishedReads
    var random: any RandomSource
    var liveMarkers: LiveMarkers
    var liveDeletions: LiveDeletions
    let recuts: RecutList
    /// What was deleted in this transaction, and may stand in segments of this device.
    var mustRecut: [Deletion.Subject] = []
    var liveStates: LiveAccountStates
    /// What the registers of all devices that ever arrived say together; nil before the first.
    package internal(set) var state: AccountState?
    /// Nil while the account takes part.
    package internal(set) var pause: ZonePause?
    /// As they were made last.
    var knownPlaceKeys: (version: UInt64, keys: PlaceKeys)?
    /// Conversations whose live registers may show less than was said of them.
    var suspectDetails: Set<ExactText> = []
    /// What all devices say together, of groups that the account is in or was.
    var knownMemberships: [ZoneID: GroupMembership] = [:]
    /// Changes whenever they do.
    package internal(set) var membershipsRevision: UInt64 = 0
    /// Groups whose live registers may show less than was said of them.
    var suspectMemberships: Set<ZoneID> = []
    /// What all achievements that ever arrived say together.
    var knownAchievements = AchievementSet()
    /// The live registers may show less than that.
    var areAchievementsSuspect = false
    let deviceTable: DeviceTable
    let givenNames: GivenNames
    var sightings: DeviceSightings
    /// What the user has set; may be changed at any time.
    package var policy = AccountPolicy()
    /// When this device tells next that it is alive; nil before that was first looked at.
    package internal(set) var signOfLifeDeadline: MonotonicTime?
    /// What this device says of itself.
    package internal(set) var description: DeviceDescription?
    /// When unpublished reads are due; nil where there are none.
    package internal(set) var publishDeadline: MonotonicTime?
    /// Records of a type that this version does not know: kept and forwarded. Since the start.
    package internal(set) var unknownRecords = 0
    /// Segments whose blob opened to something that this version cannot read. Since the start.
    package internal(set) var unreadableSegments = 0
    /// The devices of the account that there is a session with, ascending. Set by who holds the sessions.
    package var connectedDevices: [LaneID] = [] {
        didSet { chat.queue.ranking.others = connectedDevices }
    }
    /// A segment that is written here is indexed by the cut itself.
    var isCutting = false

    /// Opens the zone, creating its tables where they are missing.
    ///
    /// - Throws: `DatabaseError` (a newer schema among them), `StoreError`.
    package init(
        database: Database, keys: AccountKeys, deviceSecret: Secret, random: any RandomSource, now: MonotonicTime,
        rules: Rules = Rules()
    ) throws {
        var random = random
        try database.migrate("zone", ZoneSchema.migrations)
        try database.migrate("account", [LiveMarkers.migration, UnpublishedReads.migration])
        try database.migrate("account state", [LiveAccountStates.migration])
        try database.migrate("deletions", [LiveDeletions.migration])
        try database.migrate("memberships", [Self.membershipMigration, Self.pendingJoinMigration])
        sealer = RecordSealer(keys: keys, version: AccountKeys.firstVersion)
        store = try ZoneStore(
            database: database, sealer: sealer, deviceSecret: deviceSecret, random: random.split(), rules: rules)
        segments = StoredSegments(store: store, sealer: sealer)
        liveMarkers = try LiveMarkers(database)
        liveDeletions = try LiveDeletions(database)
        recuts = try RecutList(database)
        unpublished = try UnpublishedReads(database)
        liveStates = try LiveAccountStates(database)
        deviceTable = try DeviceTable(database: database)
        givenNames = try GivenNames(database)
        sightings = try DeviceSightings(database: database)
        chat = try ChatState(
            database: database, lane: store.device.lane, queueKey: keys.queueKey, source: segments,
            random: random.split(), now: now)
        self.keys = keys
        self.database = database
        self.random = random
        changes = try ChangeFeed(database: database, random: random.split(), now: now)
        store.observer = changes
        chat.changes = changes
        chat.keptReads = unpublished
        if let stored = try store.setting("description") { description = try DeviceDescription(encoded: stored) }
        if !(try unpublished.all().isEmpty) { publishDeadline = now + policy.quiet }
        try store.attach(self)
        try loadState()
        try loadMemberships()
        try loadAchievements()
    }

    package var accountID: AccountID { keys.accountID }
}
