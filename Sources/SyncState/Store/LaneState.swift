package import NodeCore

/// This node's state of one lane: its entry of the vector.
package struct LaneState: Sendable {
    package let id: LaneID
    /// The lane's number in this store; meaningless to others.
    let number: Int
    /// The seq up to which the lane was written here, or received from peers page by page. Durable.
    var reached: UInt64 = 0
    /// The highest seq at which a valid record is known to exist.
    package var target: UInt64 = 0
    /// The highest seq of the rows held, including those above `reached`; 0 if there are none.
    package var highest: UInt64 = 0
    /// How many rows are held, including those above `head`.
    package var rows = 0
    /// The fingerprint of all rows held, including those above `head`, as of the last commit.
    package var fingerprint = Fingerprint.ofNoRows
    /// Two records were seen at the same seq.
    package var isForked = false
    /// The slots of rows up to this seq are in the packed index; those above are in the tail, or in both. At most the
    /// head: rows above it are the newest of a lane whose backlog is still to come, and a mark above them would send
    /// each of the later rows through the index one by one.
    var slotted: UInt64 = 0

    init(id: LaneID, number: Int) {
        self.id = id
        self.number = number
    }

    /// Everything up to here was received, or superseded before it could be. A record of the lane exists at this seq: a
    /// peer's word alone moves no head, so that a false one does not spread, and a lost row is requested again.
    package var head: UInt64 { min(reached, highest) }

    /// Whether everything known to exist is held.
    package var isClean: Bool { head == target }
}
