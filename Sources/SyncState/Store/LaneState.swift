package import NodeCore

/// What this node holds of one lane: its entry of the vector.
package struct LaneState: Sendable {
    package let id: LaneID
    /// The lane's place in this store; means nothing to others.
    let number: Int
    /// How far the lane was written here, or taken from peers page by page. Durable.
    var reached: UInt64 = 0
    /// A valid record at this seq is known to exist.
    package var target: UInt64 = 0
    /// The highest seq of the rows held, those above `reached` too; 0 where there are none.
    package var highest: UInt64 = 0
    /// Over all rows held, those above `head` too.
    package var sum = SetSum()
    /// Up to where registers are dropped, once the lane is retired.
    package var retiredThrough: UInt64?
    /// Two records were seen at one seq.
    package var isForked = false
    /// Slots of rows up to here are in the packed index; those above it are in the tail, or in both.
    var slotted: UInt64 = 0

    init(id: LaneID, number: Int) {
        self.id = id
        self.number = number
    }

    /// All up to here was received, or superseded before it could be. A record of the lane stands there: no peer's
    /// word alone moves a head, so that a false one does not spread, and a lost row is asked for again.
    package var head: UInt64 { min(reached, highest) }

    /// What `slotted` becomes when the tail is written. Rows above the head are the newest of a lane of which all the
    /// rest follows: a mark above them would send each of these through the index one by one. Those of a retired lane
    /// come in no order, and its head stays where it was.
    var slottable: UInt64 { isRetired ? highest : head }

    package var isRetired: Bool { retiredThrough != nil }
    package var fingerprint: Fingerprint { sum.fingerprint }
    /// Whether all that is known to exist is held.
    package var isClean: Bool { head == target }
}
