/// A measured number with its limit and its goal.
struct Figure {
    enum Goal {
        case atMost(Double)
        case atLeast(Double)
        /// No goal.
        case none
    }

    let row: String
    let what: String
    let value: Double
    let unit: String
    /// The figure of a plain program on this machine in the same run.
    var limit: Double?
    var goal = Goal.none

    /// Nil if there is no goal.
    var isReached: Bool? {
        switch goal {
        case .atMost(let most): value <= most
        case .atLeast(let least): value >= least
        case .none: nil
        }
    }
}
