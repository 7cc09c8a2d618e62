/// The result of merging into a leaf, and how to spread it if it does not fit.
struct MergeShape {
    var total: Int
    var added: Int
    /// Everything new comes after everything held, as when history grows.
    var isAppended: Bool
    /// Everything new comes before everything held, as when history is fetched newest first.
    var isPrepended: Bool

    /// Entry counts of the leaves to make, in order.
    ///
    /// If entries arrive in order, the leaves behind the last are filled completely, since nothing more goes there;
    /// otherwise entries are spread evenly, so that each leaf has room for later ones.
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
