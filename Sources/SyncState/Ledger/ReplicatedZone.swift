package import NodeCore

/// A zone as seen by the engine and the shells around it: an account's or a group's.
///
/// The record set is in `store`; this protocol covers what differs between kinds of zones. Confined to the node's
/// thread.
package protocol ReplicatedZone: AnyObject {
    var zone: ZoneID { get }
    /// This node's handle for the zone. Two accounts of one node may be in the same group, each with its own zone.
    var handle: PlaceID { get }
    var store: ZoneStore { get }

    // MARK: Membership

    /// This device's place in the zone, and the control records that say who belongs to it. They are made equal on both
    /// ends of a session before anything else.
    var membership: ZoneMembership { get }
    /// Read on every turn, so implementations must cache derived keys.
    var zoneAccess: ZoneAccess { get }
    /// Shows peers that do not know this node that it belongs to the zone; empty if there is nothing to show.
    var vouchers: [UInt8] { get }
    /// Takes a peer's statement of why this node no longer belongs to the zone.
    func take(dismissal: [UInt8]) throws
    /// The party whose device writes a lane; sessions are shared out among the parties. In an account, each device is
    /// its own party.
    func party(of lane: LaneID) -> Bytes32
    /// Devices with an open session, ascending. Set by the owner of the sessions.
    var connectedDevices: [LaneID] { get set }

    /// The messages that the zone knows without their bodies; nil if it has no messages.
    var messages: (any MissedMessages)? { get }

    /// Whether peers may learn this device's clock: only if they all belong to one person.
    var tellsTime: Bool { get }

    /// The place to meet those who want to join the zone; nil if nobody is admitted that way.
    var rendezvous: (any Rendezvous)? { get }

    // MARK: Timed work

    /// Whether something was accepted here that is in no record yet, so that no peer can know of it.
    var hasQueued: Bool { get }

    /// Does work that is due, inside the turn's transaction.
    func work(now: MonotonicTime) throws
    /// When `work` is due next; nil while nothing is planned.
    var deadline: MonotonicTime? { get }
    /// Called when the node stops: writes anything that waits for its time.
    func finish(now: MonotonicTime) throws

    // MARK: The store's turns

    /// Makes all changes since the last commit durable.
    func commit() throws
    /// Discards uncommitted changes, after an error of the store.
    func rollback() throws
    /// Tests whether the store can be written.
    func probe() throws
    /// Writes data that would otherwise be derived again at the next start. Called when idle.
    func tidy() throws
}

extension ReplicatedZone {
    /// The lane that this device writes.
    package var lane: LaneID { store.device.lane }

    package var handle: PlaceID { PlaceID(zone.storage) }
    package var ledger: ZoneLedger { membership.records }
    package var vouchers: [UInt8] { membership.path }
    package func take(dismissal: [UInt8]) throws { try membership.take(dismissal: dismissal) }
    package func party(of lane: LaneID) -> Bytes32 { lane.storage }
    package var messages: (any MissedMessages)? { nil }
    package var tellsTime: Bool { false }
    package var rendezvous: (any Rendezvous)? { nil }

    package func probe() throws {
        try store.probe()
        try commit()
    }
}

/// A zone's judgement of a peer that has proved its identity.
package enum PeerStanding: Equatable, Sendable {
    case proven
    /// Not known to belong here: it may have been admitted by others, and can show that by vouchers.
    case unknown
    /// It was a member and no longer is; with the evidence to send to the peer itself.
    case dismissed([UInt8])
    /// Its vouchers are invalid.
    case wrong
}

extension ZoneContent where Self: ReplicatedZone {
    package func entered(after old: DeviceKeys) throws { try membership.enter(after: old) }
}

/// The engine's view of a zone that knows of messages without their bodies (docs/PROTOCOL.md, §9.6).
package protocol MissedMessages: AnyObject {
    /// The messages found missing since the last call, latest last; after a rollback all of them.
    func takeFreshlyMissed() -> [TxID]
    func isMissed(_ txid: TxID) -> Bool
    /// The missing messages whose bodies a record's segment may hold, judged by the prefixes in its meta.
    func missed(perhapsIn record: Record) -> [TxID]
    /// The record of a held segment that contains this message's body; nil if there is none.
    func record(holding txid: TxID) throws -> Record?
    /// Cuts at once the groups in which any of these messages wait: another device asks for them.
    func cut(holding txids: [TxID], now: MonotonicTime) throws
}
