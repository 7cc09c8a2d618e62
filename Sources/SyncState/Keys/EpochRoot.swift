package import NodeCore

/// The root of one epoch of a group; its keys are derived from it.
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
