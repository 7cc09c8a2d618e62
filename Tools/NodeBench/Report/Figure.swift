/// One measured number beside its limit and what is to be reached.
struct Figure {
    enum Goal {
        case atMost(Double)
        case atLeast(Double)
        /// Only told.
        case none
    }

    let row: String
    let what: String
    let value: Double
    let unit: String
    /// What a plain program needs on this machine in the same run.
    var limit: Double?
    var goal = Goal.none

    /// Nil where nothing is to be reached.
    var isReached: Bool? {
        switch goal {
        case .atMost(let most): value <= most
        case .atLeast(let least): value >= least
        case .none: nil
        }
    }
}
