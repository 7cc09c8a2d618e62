/// A measured number with its limit and its goal.
struct Figure {
    enum Goal {
        case atMost(Double)
        case atLeast(Double)

        var text: String {
            switch self {
            case .atMost(let most): "≤ \(most.short)"
            case .atLeast(let least): "≥ \(least.short)"
            }
        }

        func isReached(by value: Double) -> Bool {
            switch self {
            case .atMost(let most): value <= most
            case .atLeast(let least): value >= least
            }
        }
    }

    let row: String
    let what: String
    let value: Double
    let unit: String
    /// The figure of a plain program on this machine in the same run.
    let limit: Double?
    let goal: Goal?

    init(_ row: String, _ what: String, _ value: Double, _ unit: String, limit: Double? = nil, goal: Goal? = nil) {
        (self.row, self.what, self.value, self.unit) = (row, what, value, unit)
        (self.limit, self.goal) = (limit, goal)
    }

    /// Nil if there is no goal.
    var isReached: Bool? { goal.map { $0.isReached(by: value) } }
}
