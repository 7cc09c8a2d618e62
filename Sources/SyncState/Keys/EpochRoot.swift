package import NodeCore

/// The root of one epoch of a group, from which its keys are derived.
package struct EpochRoot: Sendable {
    /// The control record that started the epoch.
    package let record: RecordHash
    /// 32 bytes.
    package let root: Secret

    package init(record: RecordHash, root: Secret) {
        self.record = record
        self.root = root
    }
}
