/// What a merge into a leaf gave, and how to spread it when it is too much for one.
struct MergeShape {
    var total: Int
    var added: Int
    /// Everything new lies behind everything held: history that grows.
    var isAppended: Bool
    /// Everything new lies before everything held: history fetched newest first.
    var isPrepended: Bool

    /// Entry counts of the leaves to make, in order.
    ///
    /// Where entries come in order the leaves behind are full, for none will come there again; otherwise all get the
    /// same, so that each has room for what comes in between.
    func parts(capacity: Int) -> [Int] {
        let leaves = max(1, (total + capacity - 1) / capacity)
        if isAppended || isPrepended {
            var parts = [Int](repeating: capacity, count: leaves - 1)
            parts.insert(total - capacity * (leaves - 1), at: isAppended ? leaves - 1 : 0)
            return parts
        }
        return (0..<leaves).map { total * ($0 + 1) / leaves - total * $0 / leaves }
    }
}
