package import NodeCore

/// What an admitted member gets to begin with: the roots of the epochs, the first one in front. It travels on an
/// authenticated session only.
package struct GroupWelcome: Sendable {
    package let group: ZoneID
    package let epochs: [GroupEpoch]

    /// - Precondition: there is an epoch.
    init(group: ZoneID, epochs: [GroupEpoch]) {
        precondition(!epochs.isEmpty, "invariant: a group has a first epoch")
        self.group = group
        self.epochs = epochs
    }
}
