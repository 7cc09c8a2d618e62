import NodeCore

/// How a record relates to the others of its slot in the same lane (docs/PROTOCOL.md, §4.1).
package enum RecordKind: UInt64, Sendable, CaseIterable {
    /// A value, superseded by a higher (seq, hash) of the same slot and lane.
    case register = 1
    /// Messages, superseded in the same way.
    case segment = 2
    /// Never superseded.
    case immutable = 3

    /// Whether a later record of the same slot replaces this one.
    package var isSuperseded: Bool { self == .register || self == .segment }
}
