/// What is true of an account's data on its devices, as far as this device knows: the one statement from which every
/// other one follows (docs/SYNC.md, §1). Each word outweighs those before it.
public enum Verdict: String, Word, Hashable, Sendable, CaseIterable, Comparable {
    /// Everything that any device has shown is here, and every other device held all of it after the last change.
    case upToDate
    /// The rest is on its way.
    case syncing
    /// Everything known is here; a device that is not in reach lacks some of it, or is not known to hold it.
    case offline
    /// The user, or `background`, has stopped sending and fetching.
    case paused
    /// Messages are missing or unreadable here, and no device in reach can help.
    case incomplete
    /// The disk or the account's quota is full: nothing is accepted.
    case full
    /// The account cannot be used here until somebody does something about it.
    case error

    public static func < (one: Verdict, other: Verdict) -> Bool { one.weight < other.weight }

    private var weight: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// Messages that are missing on this device, and the devices that have shown that they hold them.
public struct MissingPart: Model, Hashable, Sendable {
    public var messages = 0
    /// The senders' times of the first and the last message, in milliseconds since 1970; nil if unknown.
    public var from: Int?
    public var to: Int?
    /// The likeliest first; empty if no device has shown that it holds them.
    public var devices: [Gap.Holder] = []

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("messages", &messages)
        field("from", &from, .time)
        field("to", &to, .time)
        field("devices", &devices)
    }
}
