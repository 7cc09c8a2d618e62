package import NodeCore

/// A value that people edit on several devices, with the data that orders its corrections: first the revision, one
/// above the highest its writer had seen; among concurrent ones the later clock, clamped to a plausible range; then the
/// hash of the value. So a correction made with knowledge of the old value always wins, and all devices end up with the
/// same one.
package struct Revised<Value: RevisedValue>: Hashable, Sendable, CBORValue {
    package let value: Value
    /// From 1.
    package let revision: UInt64
    /// The writer's clock, within `Limits.revisionTimes`.
    package let at: WallTime

    /// - Parameter at: clamped to `Limits.revisionTimes`, so that a clock of 1970 or 2100 does not win over others for
    ///   ever.
    package init(_ value: Value, revision: UInt64, at: WallTime) {
        self.value = value
        self.revision = revision
        self.at = min(max(at, Limits.revisionTimes.lowerBound), Limits.revisionTimes.upperBound)
    }

    /// True if this one wins over `other`. A total order on different values.
    package func supersedes(_ other: Revised) -> Bool {
        if revision != other.revision { return revision > other.revision }
        if at != other.at { return at > other.at }
        return valueHash > other.valueHash
    }

    private var valueHash: Bytes32 {
        var writer = CBORWriter()
        value.write(to: &writer)
        return Blake2b.hash32(writer.bytes, domain: "kachat value")
    }

    /// The effective value of several devices' values: the winner of those that count (`Revisions`); nil if there are
    /// none.
    package static func joined(_ values: [Revised]) -> Revised? {
        guard let top = Revisions.highestCounting(values.map(\.revision)) else { return nil }
        return values.filter { $0.revision == top }.max { $1.supersedes($0) }
    }

    /// The correction of `held` to `value`; `held` itself if its value is the same.
    ///
    /// - Parameter others: the values of the other devices.
    package static func correcting(
        _ held: Revised?, to value: Value, at wall: WallTime, besides others: [Revised] = []
    ) -> Revised {
        if let held, held.value == value { return held }
        return Revised(
            value, revision: Revisions.next(above: others.map(\.revision), own: held?.revision), at: wall)
    }

    /// `[revision, at, value]`
    @usableFromInline package func write(to writer: inout CBORWriter) {
        writer.write(array: revision, at, value)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        let start = reader.position
        try reader.readArray(of: 3)
        revision = try reader.readUInt()
        at = try reader.readTime()
        guard (1...Limits.revision).contains(revision), Limits.revisionTimes.contains(at) else {
            throw .outOfRange(at: start)
        }
        value = try Value(from: &reader)
    }
}

/// A value that can be corrected. It has exactly one encoding.
package protocol RevisedValue: CBORValue, Hashable, Sendable {
    /// Reads the output of `write` and refuses everything else.
    init(from reader: inout CBORReader) throws(CBORError)
}

extension Bool: RevisedValue {
    package init(from reader: inout CBORReader) throws(CBORError) { self = try reader.readBool() }
}

/// Why a correction is refused.
package enum RevisionError: Error, Equatable, Sendable, CustomStringConvertible {
    /// There is no number above the highest seen.
    case tooManyRevisions

    package var description: String { "it was changed too often: no higher revision is left" }
}
