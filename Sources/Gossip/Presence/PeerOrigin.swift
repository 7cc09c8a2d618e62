/// How an address came to be known; the first that applies is shown.
package enum PeerOrigin: String, Hashable, Comparable, Sendable, CaseIterable {
    /// Given by the user.
    case `static`
    /// Heard on the local network.
    case beacon
    /// It worked earlier.
    case remembered
    /// It dialled us.
    case incoming

    package static func < (left: PeerOrigin, right: PeerOrigin) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int {
        switch self {
        case .static: 0
        case .beacon: 1
        case .remembered: 2
        case .incoming: 3
        }
    }
}
