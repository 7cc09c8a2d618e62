/// The result of `sync`.
public struct SyncResult: Hashable, Sendable {
    /// True if all devices in reach hold the same.
    public var caughtUp = false
    /// The gravest of the accounts.
    public var verdict = Verdict.error
    /// Devices in reach.
    public var peers = 0

    package init() {}
}

/// The result of `background`.
public struct BackgroundResult: Hashable, Sendable {
    /// Segments written.
    public var segments = 0
    /// Devices connected until then.
    public var peers = 0
    /// True if each of them has all of it.
    public var handedOver = false
    /// True if no database is locked any more: the system may suspend the process.
    public var released = false

    package init() {}
}

/// The answer to `foreground`.
package struct Foreground: Model {
    package var listen: String?

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) { field("listen", &listen) }
}

// MARK: Fields

extension SyncResult: Model {
    package static let modelName = "Synced"

    package mutating func fields(_ field: inout FieldCoder) {
        field("caughtUp", &caughtUp)
        field("verdict", &verdict)
        field("peers", &peers)
    }
}

extension BackgroundResult: Model {
    package static let modelName = "Background"

    package mutating func fields(_ field: inout FieldCoder) {
        field("segments", &segments)
        field("peers", &peers)
        field("handedOver", &handedOver)
        field("released", &released)
    }
}
