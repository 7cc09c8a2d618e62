/// What may befall a node in a history; each faulty history draws its own subset.
package enum HistoryFault: String, CaseIterable, Sendable {
    /// Sessions break between commits.
    case cut
    /// A device dies for ever, with whatever it has not passed on.
    case die
    /// A row is lost.
    case rot
    /// A node goes back to an older copy of its store.
    case restore
    /// A home is copied and run twice.
    case clone
    /// A device starts afresh for no reason that it sees.
    case fresh
    /// A lane is retired though its device may be only away.
    case prune

    /// Only after these may a fingerprint alarm sound.
    static let corrupting: [HistoryFault] = [.rot, .restore, .clone]
    /// Only after these may a device start afresh.
    static let restarting: [HistoryFault] = [.restore, .clone, .fresh, .prune]
}
