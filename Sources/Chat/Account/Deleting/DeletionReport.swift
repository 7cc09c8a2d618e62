package import NodeCore
import SyncState

/// The effect of a deletion on the archive.
package struct DeletionReport: Sendable {
    /// Messages that were shown and no longer are.
    package var messages = 0
    /// Segments of this device, which are rewritten without the bodies in seven days.
    package var cutAnew = 0
    /// Segments of other devices, which those will rewrite.
    package var waitFor: [(device: LaneID, segments: Int)] = []
    /// Segments whose writer no longer exists: the bodies stay in them, sealed.
    package var staySealed = 0

    /// - Parameter segments: how many of each lane are concerned.
    init(_ segments: [LaneID: Int], in context: AccountContext) {
        for (id, count) in segments.sorted(by: { $0.key < $1.key }) {
            if id == context.lane {
                cutAnew += count
            } else if context.isAbandoned(id) {
                staySealed += count
            } else {
                waitFor.append((id, count))
            }
        }
    }

    func with(messages: Int) -> DeletionReport {
        var report = self
        report.messages = messages
        return report
    }
}
