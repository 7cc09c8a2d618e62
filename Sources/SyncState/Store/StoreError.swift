/// What a zone's store reports to the module's users.
package enum StoreError: Error, CustomStringConvertible, Sendable {
    /// A row cannot be what this program wrote.
    case damaged(String)

    package var description: String {
        switch self {
        case .damaged(let what):
            "the store is damaged: \(what). Move the folder away and restore from another device, or from a backup."
        }
    }
}
