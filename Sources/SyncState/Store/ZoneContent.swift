package import NodeCore

/// What a zone's records mean: the chat state of an account, or the scores of a group.
///
/// The store calls it inside its own transaction, so that state and rows change in one commit.
package protocol ZoneContent: AnyObject {
    /// Opens and checks a record before it is stored.
    func open(_ record: Record) throws(RecordRejection) -> OpenedRecord
    /// A register arrived: it counts, even where its row is dropped or superseded on arrival.
    func merge(_ opened: OpenedRecord, of record: Record) throws
    /// The zone has as many lanes as it may have, and a record comes of another one: which lane it is worth more than.
    /// That one is forgotten with all its rows; nil refuses the record.
    func laneToForget(for record: Record, _ opened: OpenedRecord) throws -> LaneID?
    /// A lane with all its rows was forgotten.
    func forgot(lane number: Int) throws
    /// The row of a record is held from now on.
    func added(_ opened: OpenedRecord, of record: Record) throws
    /// The row of a record is gone: superseded, dropped by a retirement, or lost to rot.
    func removed(_ record: Record) throws
    /// The verified blob of a held row is stored under `arrival`.
    func blobAdded(_ blob: UnsafeRawBufferPointer, arrival: Int64, of record: Record) throws
    /// The blob stored under `arrival` goes together with its row, or is found damaged.
    func blobRemoved(arrival: Int64, of record: Record) throws
    /// The blob of a row that is superseded stays, to be read until the new row's is here.
    func blobSetAside(of record: Record) throws
    /// A blob that was kept aside goes.
    ///
    /// - Parameter record: nil where it rotted.
    func asideRemoved(arrival: Int64, of record: Record?) throws
    /// The highest arrival that `blobAdded` need not be told again after a crash.
    var highestArrival: Int64 { get }
    /// Whether a lane that its device left is retired. Where no record is a register, it would drop nothing.
    var retiresLanes: Bool { get }
    /// Writes the live registers of the lane that this device leaves anew, in its new lane.
    func republish(from old: LaneID) throws
    /// Raises registers of this device to the effective values that no live register shows any more.
    func raiseEffectiveValues() throws
    /// Checks what is derived from records and blobs, and derives anew what rotted.
    ///
    /// - Returns: what was mended, in words.
    func mendDerived() throws -> [String]
    /// Things of this device alone that cannot be read any more, and that no peer has.
    func countLost() throws -> Int
}

extension ZoneContent {
    package func mendDerived() throws -> [String] { [] }
    package func countLost() throws -> Int { 0 }
    package func laneToForget(for record: Record, _ opened: OpenedRecord) throws -> LaneID? { nil }
    package func forgot(lane number: Int) throws {}
}

/// A record and what is inside it.
package struct OpenedRecord: Sendable {
    package let content: RecordContent
    /// How early its blob is wanted (`WantedBlob.priority`).
    package let priority: Int64

    package init(content: RecordContent, priority: Int64) {
        self.content = content
        self.priority = priority
    }
}

/// The understood content of a record.
package enum RecordContent: Sendable {
    case accountState(AccountState)
    case achievements(AchievementRecord)
    case conversation(ConversationDetails)
    case groupMembership(GroupMembership)
    case retirement(Retirement)
    case chainFacts(ChainFacts)
    case deletion(Deletion)
    case segment(SegmentMeta)
    case readMarker(ReadMarker)
    case device(DeviceDescription)
    case givenName(GivenName)
    case opaque(OpaqueName)
    /// Of another kind of zone than an account's, as that zone reads it.
    case other(any Sendable)
    /// Of a later version: kept, forwarded and counted.
    case unknown
}
