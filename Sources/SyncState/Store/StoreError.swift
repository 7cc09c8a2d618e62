/// An error that a zone's store reports to other modules.
package enum StoreError: Error, CustomStringConvertible, Sendable {
    /// A stored row is not one that this program could have written.
    case damaged(String)

    package var description: String {
        switch self {
        case .damaged(let what): "the store is damaged (\(what))"
        }
    }
}

/// A failure of a store, as far as it matters to those waiting for it to pass.
package protocol StoreFailure: Error {
    /// There is no room; work resumes by itself when there is.
    var isOutOfRoom: Bool { get }
    /// It persists until somebody fixes it.
    var isLasting: Bool { get }
}

extension DatabaseError: StoreFailure {
    package var isOutOfRoom: Bool { isDiskFull }
    package var isLasting: Bool { isCorrupt || newerSchema != nil }
}

extension StoreError: StoreFailure {
    package var isOutOfRoom: Bool { false }
    package var isLasting: Bool { true }
}
