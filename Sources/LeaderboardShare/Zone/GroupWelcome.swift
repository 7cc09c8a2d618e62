package import NodeCore

/// What an admitted member gets to begin with: the roots of the epochs, the first one in front, and the records by
/// which it is a member. It travels on an authenticated session only.
package struct GroupWelcome: Sendable {
    package let group: ZoneID
    package let epochs: [GroupEpoch]
    /// Why the joiner and who let it in are members, until the group's records are here.
    let vouchers: [ControlRecord]
    /// Where who let it in accepts sessions; nil where that is not known.
    package let address: SocketAddress?

    /// - Precondition: there is an epoch.
    init(group: ZoneID, epochs: [GroupEpoch], vouchers: [ControlRecord] = [], address: SocketAddress? = nil) {
        precondition(!epochs.isEmpty, "invariant: a group has a first epoch")
        self.group = group
        self.epochs = epochs
        self.vouchers = vouchers
        self.address = address
    }
}
