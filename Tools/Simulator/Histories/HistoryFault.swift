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

    /// Fingerprint alarms, and values that go back for a while, are allowed only after these.
    static let corrupting: [HistoryFault] = [.rot, .restore, .clone]
    /// After these a value may be gone for good: its only writer, or all rows that show it.
    static let losing: [HistoryFault] = [.rot, .restore, .die]
    /// Fresh starts are allowed only after these.
    static let restarting: [HistoryFault] = [.restore, .clone, .fresh]
}
