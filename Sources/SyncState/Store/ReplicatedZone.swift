package import NodeCore

/// A zone as the engine and the shells around it see it: an account's, or a group's.
///
/// The set itself is in the `store`; here stands what differs between kinds of zones. Confined to the node's thread.
package protocol ReplicatedZone: AnyObject {
    var zone: ZoneID { get }
    /// What this node calls the zone. Two accounts of one node may be in one group, each with a zone of its own.
    var handle: PlaceID { get }
    var store: ZoneStore { get }

    // MARK: Who may take part

    /// Asked for at every turn: nothing is derived for it that was derived before.
    var zoneAccess: ZoneAccess { get }
    /// What shows, beside the lane's signature, that this node belongs to the zone: a signature of HELLO's message.
    func proof(of message: [UInt8]) -> [UInt8]
    /// What a peer is by its proof of the message.
    func standing(_ message: [UInt8], proof: [UInt8]) -> PeerStanding
    /// The same of a peer that was unknown, with what it shows besides.
    func standing(_ message: [UInt8], proof: [UInt8], vouchers: [UInt8]) -> PeerStanding
    /// What shows to those who do not know this node that it belongs to the zone; empty where there is nothing.
    var vouchers: [UInt8] { get }
    /// A peer says why this node does not belong to the zone any more.
    func take(dismissal: [UInt8]) throws
    /// The devices that there is a session with, ascending. Set by who holds the sessions.
    var connectedDevices: [LaneID] { get set }

    /// Messages that the zone knows of without having them; nil where it has no messages.
    var messages: (any MissedMessages)? { get }

    /// Whether peers may know this device's clock. Only where all of them are one person's.
    var tellsTime: Bool { get }

    /// Where those are met who want into the zone; nil where nobody is let in that way.
    var rendezvous: (any Rendezvous)? { get }

    /// Rows of a message are about to be put: what can be done for all of them at once.
    func prepare(_ rows: [[UInt8]])

    // MARK: Work of its own

    /// Whether something was accepted here that stands in no record yet: no peer can know of it.
    var hasQueued: Bool { get }

    /// Does what is due by the clock, inside the turn's transaction.
    func work(now: MonotonicTime) throws
    /// When `work` is due next; nil while nothing is planned.
    var deadline: MonotonicTime? { get }
    /// The node stops: what waits for its time is written now.
    func finish(now: MonotonicTime) throws

    // MARK: The store's turns

    /// Makes durable what was changed since the last commit.
    func commit() throws
    /// Forgets what is not durable: after an error of the store.
    func rollback() throws
    /// Finds out whether the store can be written.
    func probe() throws
    /// Writes what would otherwise be derived anew at the next start. When there is nothing else to do.
    func tidy() throws
}

extension ReplicatedZone {
    /// The lane that this device writes.
    package var lane: LaneID { store.device.lane }

    package var handle: PlaceID { PlaceID(zone.storage) }
    package var vouchers: [UInt8] { [] }
    package var messages: (any MissedMessages)? { nil }
    package var tellsTime: Bool { false }
    package var rendezvous: (any Rendezvous)? { nil }

    package func standing(_ message: [UInt8], proof: [UInt8], vouchers: [UInt8]) -> PeerStanding {
        standing(message, proof: proof)
    }

    package func take(dismissal: [UInt8]) throws {}

    package func prepare(_ rows: [[UInt8]]) {}

    package func commit() throws { try store.commit() }

    package func probe() throws {
        try store.probe()
        try commit()
    }
}
