/// An error that a zone's store reports to other modules.
package enum StoreError: Error, CustomStringConvertible, Sendable {
    /// A stored row is not one that this program could have written.
    case damaged(String)

    package var description: String {
        switch self {
        case .damaged(let what):
            "the store is damaged: \(what). Move the folder away and restore from another device, or from a backup."
        }
    }
}
