/// A fault of a node in a history; each history with faults draws its own subset.
package enum HistoryFault: String, CaseIterable, Sendable {
    /// Sessions break between commits.
    case cut
    /// A device dies for good, with everything it has not passed on.
    case die
    /// A row is lost.
    case rot
    /// A node returns to an older copy of its store.
    case restore
    /// A home is copied and run twice.
    case clone
    /// A device makes a fresh start for no apparent reason.
    case fresh
    /// A lane is retired though its device may only be away.
    case prune

    /// Fingerprint alarms are allowed only after these.
    static let corrupting: [HistoryFault] = [.rot, .restore, .clone]
    /// Fresh starts are allowed only after these.
    static let restarting: [HistoryFault] = [.restore, .clone, .fresh, .prune]
}
