package import NodeCore

/// What a zone's records mean: the chat state of an account, or the scores of a group.
///
/// The store calls it inside its own transaction, so that state and rows change in one commit.
package protocol ZoneContent: AnyObject {
    /// Opens and checks a record before it is stored.
    func open(_ record: Record) throws(RecordRejection) -> any RecordContent
    /// A register arrived: it counts, even where its row is dropped or superseded on arrival.
    func merge(_ content: any RecordContent, of record: Record) throws
    /// The zone has as many lanes as it may have, and a record comes of another one: which lane it is worth more than.
    /// That one is forgotten with all its rows; nil refuses the record.
    func laneToForget(for record: Record, _ content: any RecordContent) throws -> LaneID?
    /// A lane with all its rows was forgotten.
    func forgot(lane number: Int) throws
    /// The row of a record is held from now on.
    func added(_ content: any RecordContent, of record: Record, from origin: RecordOrigin) throws
    /// The row of a record is gone: superseded, dropped by a retirement, or lost to rot.
    func removed(_ record: Record) throws
    /// The verified blob of a held row is stored under `arrival`.
    func blobAdded(
        _ blob: UnsafeRawBufferPointer, arrival: Int64, of record: Record, from origin: RecordOrigin
    ) throws
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
    package func laneToForget(for record: Record, _ content: any RecordContent) throws -> LaneID? { nil }
    package func forgot(lane number: Int) throws {}
}

/// Who brings a record, or a blob, into the store.
package enum RecordOrigin: Hashable, Sendable {
    /// This device wrote it, and knows what it says.
    case own
    /// Another device did, or this one before it lost its store. Who gave it, where that is known.
    case peer(LaneID?)

    package var isOwn: Bool { self == .own }
}

/// Writes its share of each commit of a store, in the same transaction.
package protocol CommitObserver: AnyObject {
    /// Set at each turn, as the shell's clocks say.
    var now: MonotonicTime { get set }
    var wall: WallTime { get set }
    /// When something that is held back has to be written; nil where nothing is.
    var deadline: MonotonicTime? { get }
    /// The deadline has passed.
    var isDue: Bool { get }
    /// What is held back is due now.
    func cutWindow()
    func write() throws
    /// Reads anew what a rollback may have undone.
    func synchronise() throws
}
