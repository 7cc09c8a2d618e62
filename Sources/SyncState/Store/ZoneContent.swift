package import NodeCore

/// The meaning of a zone's records: an account's chat state, or a group's scores.
///
/// The store calls it inside its own transaction, so that state and rows change in one commit.
package protocol ZoneContent: AnyObject {
    /// The rules that say which rows count.
    var rules: any RowRules { get }
    /// The record that the next row of this device's lane follows; nil if rows follow none.
    var previous: RecordHash? { get throws }
    /// Opens and checks a record, but for its signature.
    func open(_ record: Record) throws(RecordRejection) -> any RecordContent
    /// The row of a record is now held.
    func added(_ content: any RecordContent, of record: Record, from origin: RecordOrigin) throws
    /// The row of a record is gone: superseded, or lost to rot.
    func removed(_ record: Record) throws
    /// Rows of a lane rotted, or were missing: nobody knows which. They come back if a peer has them. Values are
    /// settled with this commit or the next.
    func rowsLost(in lane: LaneID)
    /// The row of a record does not count any more: as if it had never been written.
    func withdrawn(_ record: Record) throws
    /// The verified blob of a held row was stored under `arrival`.
    func blobAdded(
        _ blob: UnsafeRawBufferPointer, arrival: Int64, of record: Record, from origin: RecordOrigin
    ) throws
    /// The blob stored under `arrival` was removed with its row, or found damaged.
    func blobRemoved(arrival: Int64, of record: Record) throws
    /// The blob of a superseded row is kept readable until the new row's blob is here.
    func blobSetAside(of record: Record) throws
    /// No message is read any more from a blob that was kept readable, or whose row rotted.
    ///
    /// - Parameter record: nil if it rotted.
    func blobHidden(arrival: Int64, of record: Record?) throws
    /// The highest arrival that need not be passed to `blobAdded` again after a crash.
    var highestArrival: Int64 { get }
    /// This device continues in a new lane, which the old one lets in.
    func entered(after old: DeviceKeys) throws
    /// Rewrites the live registers of the lane that this device leaves in its new lane.
    func republish(from old: LaneID) throws
    /// Part of a commit: derives values from the registers that are held.
    func settleValues() throws
    /// Checks a part of the data derived from records and blobs, and derives rotten data again. It may have changed
    /// since the last part was checked.
    ///
    /// - Returns: what was repaired, in words.
    func mendDerived(_ cursor: inout DerivedCursor) throws -> [String]
    /// Number of items on this device alone that cannot be read any more and that no peer has.
    func countLost() throws -> Int
}

extension ZoneContent {
    package var previous: RecordHash? { nil }
    package func withdrawn(_ record: Record) throws { try removed(record) }
    package func rowsLost(in lane: LaneID) {}
    package func settleValues() throws {}
    package func mendDerived(_ cursor: inout DerivedCursor) throws -> [String] {
        cursor.end()
        return []
    }
    package func countLost() throws -> Int { 0 }
}

/// The position at which a check of derived data continues: the content says what the parts are, and how it counts in
/// them.
package struct DerivedCursor: Sendable {
    package private(set) var part = 0
    /// Zero at the beginning of a part.
    package var place: Int64 = 0
    package private(set) var isAtEnd = false

    package init() {}

    package mutating func nextPart() { skip(to: part + 1) }

    package mutating func skip(to part: Int) { (self.part, place) = (part, 0) }

    package mutating func end() { isAtEnd = true }
}

/// Which rows of a zone count, by its ledger and by lists of rows.
package protocol RowRules: AnyObject {
    /// Whether a record counts, as far as this node knows.
    func verdict(on record: Record) throws -> RowVerdict
    /// Whether a signed list of its lane names a record, so that its own signature need not be checked.
    func isListed(_ record: Record) throws -> Bool
    /// The lists of a lane's rows, the newest first: a device that gets them first checks fewer signatures.
    func lists(of lane: LaneID) throws -> [[UInt8]]
}

/// Whether a row counts.
package enum RowVerdict: Hashable, Sendable {
    case counts
    /// Not now, but perhaps later: its lane does not stand, or a list that may name it is not here.
    case waits
    /// Its lane was removed, and it is not among what stays.
    case removed
}

/// The source of a record or blob.
package enum RecordOrigin: Hashable, Sendable {
    /// This device wrote it, so its content is known.
    case own
    /// Another device wrote it, or this one before it lost its store. Names the device that sent it, if known.
    case peer(LaneID?)

    package var isOwn: Bool { self == .own }
}

/// Writes its share of each commit of a store, in the same transaction.
package protocol CommitObserver: AnyObject {
    /// The time by the shell's clock, set on each turn.
    var now: MonotonicTime { get set }
    var wall: WallTime { get set }
    /// When delayed data must be written; nil if there is none.
    var deadline: MonotonicTime? { get }
    /// Whether the deadline has passed.
    var isDue: Bool { get }
    /// Makes delayed data due now.
    func cutWindow()
    func write() throws
    /// Reads again what a rollback may have undone.
    func synchronise() throws
}
