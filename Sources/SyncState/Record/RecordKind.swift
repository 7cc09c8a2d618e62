import NodeCore

/// How a record relates to the others of its slot in the same lane (docs/PROTOCOL.md, §4.1).
package enum RecordKind: UInt64, Sendable, CaseIterable {
    /// Superseded by a higher (seq, hash) of the same slot and lane; lost when its lane is retired.
    case register = 1
    /// Superseded like a register, but kept when its lane is retired.
    case segment = 2
    /// Never superseded.
    case immutable = 3
    /// An immutable that retires another lane. Its meta is sealed under the replication key, since replicas that cannot
    /// read must compact as the others do.
    case retire = 4

    /// Whether a later record of the same slot replaces this one.
    package var isSuperseded: Bool { self == .register || self == .segment }
}
