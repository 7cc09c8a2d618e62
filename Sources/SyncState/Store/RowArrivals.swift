package import NodeCore

/// When the rows of a lane came here, by this node's clock: those held, and those aside.
package struct RowArrivals {
    private let store: ZoneStore

    package init(_ store: ZoneStore) { self.store = store }

    /// - Parameter body: gets a row, encoded, when it came, and whether it is held. It must not use the store.
    package func forEach(of lane: LaneID, _ body: ([UInt8], WallTime, Bool) throws -> Void) throws {
        guard let number = store.numbers[lane] else { return }
        let bounds = RowID.bounds(lane: number, from: 0, through: Limits.highestSeq)
        let query = store.statements.recordsBetween
        query.bind(1, bounds.low)
        query.bind(2, bounds.high)
        defer { query.reset() }
        while try query.step() { try body(query.blob(1), WallTime(milliseconds: query.optionalInt(2) ?? 0), true) }
        try store.aside.forEachArrival(lane: number) { try body($0, $1, false) }
    }
}
