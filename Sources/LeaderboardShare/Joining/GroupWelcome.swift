import Ledger
package import NodeCore

/// The data with which a new member starts. It travels only on an authenticated session.
package struct GroupWelcome: Sendable {
    package let keys: GroupKeys
    /// The tag of the lane that entered.
    package let tag: Bytes16
    /// The Enter that was taken, and what shows that it counts, until the group's records are here: encoded.
    let shown: [[UInt8]]
    /// The address on which the member who answered accepts sessions.
    package let address: SocketAddress

    package var group: ZoneID { keys.zone }
}
