/// The result of `sync`.
public struct SyncResult: Model, Hashable, Sendable {
    package static let modelName = "Synced"
    /// True if all devices in reach hold the same, of each account and group.
    public var caughtUp = false
    /// The gravest of the accounts.
    public var verdict = Verdict.error
    /// Devices of the accounts in reach.
    public var peers = 0
    /// Devices of other members of their groups in reach, counted in each group.
    public var groupPeers = 0

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("caughtUp", &caughtUp)
        field("verdict", &verdict)
        field("peers", &peers)
        field("groupPeers", &groupPeers, ifTold: true)
    }
}

/// The result of `background`.
public struct BackgroundResult: Model, Hashable, Sendable {
    package static let modelName = "Background"
    /// Segments written.
    public var segments = 0
    /// Devices connected until then.
    public var peers = 0
    /// True if each of them has all of it.
    public var handedOver = false
    /// True if no database is locked any more: the system may suspend the process.
    public var released = false

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("segments", &segments)
        field("peers", &peers)
        field("handedOver", &handedOver)
        field("released", &released)
    }
}

/// The answer to `foreground`.
package struct Foreground: Model {
    package var listen: String?

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) { field("listen", &listen) }
}
