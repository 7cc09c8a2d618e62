/// The conditions a descriptor is watched for, or ready for.
package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let readable = Readiness(rawValue: 1)
    package static let writable = Readiness(rawValue: 2)
    /// Always reported: the descriptor failed or both directions are closed.
    package static let broken = Readiness(rawValue: 4)
}
