package import NodeCore

/// The vector: the state of each lane.
extension ZoneStore {
    package func lane(_ id: LaneID) -> LaneState? { numbers[id].map { lanes[$0] } }

    /// All lanes that any record revealed, in order of their ids.
    package var vector: [LaneState] {
        lanes.filter { $0.rows > 0 || $0.head > 0 }.sorted { $0.id < $1.id }
    }

    /// The lane that this device writes.
    package var own: LaneState { lanes[ownNumber] }

    package var ownNumber: Int {
        guard let number = numbers[device.lane] else { preconditionFailure("invariant: the own lane has an entry") }
        return number
    }

    /// BLAKE2b-128 over (lane, head, fingerprint) of each lane; equal if two nodes hold the same.
    ///
    /// The target is left out: it is not believed without a record, so two nodes with the same rows may know different
    /// targets for ever.
    package var digest: ZoneDigest {
        if let knownDigest, knownDigest.revision == revision { return knownDigest.digest }
        var writer = ByteWriter()
        for lane in vector {
            writer.write(lane.id)
            writer.write(u64: lane.head)
            writer.write(lane.fingerprint)
        }
        let digest = ZoneDigest(Blake2b.hash16(writer.bytes, domain: "kachat digest"))
        knownDigest = (revision, digest)
        return digest
    }

    /// Advances the head to `head` after taking a page of this lane, but not beyond the highest row held. Never lowers
    /// anything, and never moves our own head, which only writing does.
    package func advance(_ id: LaneID, head: UInt64) throws {
        if id == device.lane {
            mustSettle = true
            return
        }
        guard let number = numbers[id] else { return }
        let head = min(head, lanes[number].highest)
        guard head > lanes[number].reached else { return }
        try begin()
        lanes[number].reached = head
        lanes[number].target = max(lanes[number].target, head)
        touch(number)
    }

    func touch(_ number: Int) {
        dirtyLanes.insert(number)
        changedLanes.insert(lanes[number].id)
    }

    /// Returns and clears the lanes whose entry changed, in order of their ids.
    package func takeChangedLanes() -> [LaneID] {
        defer { changedLanes = [] }
        return changedLanes.sorted()
    }

    package func takeWritten() -> [(since: UInt64, record: Record)] {
        defer { written = [] }
        return written
    }

    package func takeFreshStarts() -> [FreshStart] {
        defer { freshStarts = [] }
        return freshStarts
    }

    func laneNumber(of id: LaneID) throws -> Int {
        if let number = numbers[id] { return number }
        guard !hasAllLanes(for: id) else { throw RecordRejection.overLimit }
        try begin()
        return enter(lane: id)
    }

    @discardableResult
    func enter(lane id: LaneID) -> Int {
        let number = lanes.count
        lanes.append(LaneState(id: id, number: number))
        contents.append(LaneContent())
        numbers[id] = number
        dirtyLanes.insert(number)
        return number
    }

    /// Whether there is no place for another lane, of another device or of our own.
    func hasAllLanes(for id: LaneID) -> Bool {
        // The last places are reserved for keys of this device, so that others cannot use them all up.
        lanes.count >= (id == device.lane ? Limits.lanes : Limits.lanes - Limits.lanesKept)
    }

    func highestSeq(lane number: Int) throws -> UInt64 {
        let bounds = RowID.bounds(lane: number, from: 0, through: Limits.highestSeq)
        return RowID(value: try statements.highestRow.number(bounds.low, bounds.high)).seq
    }
}

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
        (self.id, self.number) = (id, number)
    }

    /// Everything up to here was received, or superseded before it could be. A record of the lane exists at this seq: a
    /// peer's word alone moves no head, so that a false one does not spread, and a lost row is requested again.
    package var head: UInt64 { min(reached, highest) }

    /// Whether everything known to exist is held.
    package var isClean: Bool { head == target }
}

/// Lanes by the numbers this store gives them, for other tables in the same file.
extension ZoneStore {
    /// The lane's number. It is meaningless to others, and constant as long as the store lives.
    package func laneNumber(_ id: LaneID) -> Int? { numbers[id] }

    /// The records at a place of a lane: one, several if the lane is forked, none if the row rotted.
    package func records(lane number: Int, seq: UInt64) throws -> [Record] {
        try rows(lane: number, from: seq, through: seq).map(\.record)
    }
}
