package import NodeCore

/// The data that an admitted member starts with: the roots of the epochs, first one in front, and the records that
/// prove its membership. It travels only on an authenticated session.
package struct GroupWelcome: Sendable {
    package let group: ZoneID
    package let epochs: [GroupEpoch]
    /// Records proving that the joiner and the admitting member are members, until the group's records are here.
    let vouchers: [ControlRecord]
    /// The address on which the admitting member accepts sessions; nil if unknown.
    package let address: SocketAddress?

    /// - Precondition: `epochs` is not empty.
    init(group: ZoneID, epochs: [GroupEpoch], vouchers: [ControlRecord] = [], address: SocketAddress? = nil) {
        precondition(!epochs.isEmpty, "invariant: a group has a first epoch")
        self.group = group
        self.epochs = epochs
        self.vouchers = vouchers
        self.address = address
    }
}
