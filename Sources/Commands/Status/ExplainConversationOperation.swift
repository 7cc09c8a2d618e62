import Chat
import Node
import NodeCore
import NodeModel
import SyncState

/// `explain CONVERSATION`: who archived its messages, and what of them is still to come.
final class ExplainConversationOperation: Operation {
    let changesData = false

    /// The segments of one device.
    private struct Share {
        var held = BlobSum()
        var wanted = BlobSum()
        /// Sender's time of the newest message, in seconds.
        var newest: UInt64 = 0
    }

    private let conversation: String
    private let reporter: ZoneReporter
    private var zone: AccountZone { reporter.account.zone }
    private var row: RowID?
    private var shares: [LaneID: Share] = [:]

    init(_ conversation: String, _ reporter: ZoneReporter) {
        self.conversation = conversation
        self.reporter = reporter
    }

    package func step(
        input: inout InputLines, reply: inout CommandReply, now: MonotonicTime
    ) throws(NodeError) -> OperationProgress {
        do {
            let wanted = ExactText(conversation)
            let (places, last) = try zone.archive.segments(after: row, limit: Limits.explainSliceRows)
            for place in places where ExactText(place.meta.name.conversationID) == wanted { add(place) }
            row = last
            if last != nil { return .again }
            reply.data(try answer())
            return .done
        } catch {
            throw NodeError(cause: error)
        }
    }

    private func add(_ place: SegmentPlace) {
        var share = shares[place.lane] ?? Share()
        let sum = BlobSum(blobs: 1, messages: place.meta.messageCount, bytes: place.sizeBytes)
        if place.arrival == nil { share.wanted = share.wanted + sum } else { share.held = share.held + sum }
        share.newest = max(share.newest, place.meta.endTimestamp)
        shares[place.lane] = share
    }

    private func answer() throws -> Explanation {
        let summary = try zone.chat.conversation(conversation)
        guard summary != nil || !shares.isEmpty else { throw ChatError.unknownConversation }
        let names = try DeviceNames(reporter)
        let wanted = shares.values.reduce(BlobSum()) { $0 + $1.wanted }
        let report = try reporter.report()
        let ordered = shares.sorted { $0.key < $1.key }
        let whom = ordered.filter { $0.value.wanted.blobs > 0 }.map { names.name(of: $0.key) }
        let missed = summary?.placeholders ?? 0
        let sentence =
            wanted.blobs == 0
            ? missed > 0
                ? "\(Wording.count(missed, "message")) of it not here yet: `message list --placeholders` says why"
                : "all that is known of it is here"
            : "\(Wording.messages(wanted)) of \(whom.joined(separator: ", ")) still to come"
        var explanation = Explanation()
        explanation.sentence = sentence
        explanation.conversationId = conversation
        explanation.state = report.state
        explanation.blockedBy = wanted.blobs > 0 ? report.reason : nil
        explanation.nextTry = wanted.blobs > 0 ? report.until.map { Int($0.milliseconds) } : nil
        var told = ExplainedConversation()
        told.messages = summary?.messages ?? 0
        told.unread = summary?.unread ?? 0
        told.wantedMessages = wanted.messages
        told.wantedBytes = wanted.bytes
        told.segments = ordered.map { archived($0.key, $0.value, names) }
        explanation.conversation = told
        return explanation
    }

    private func archived(_ lane: LaneID, _ share: Share, _ names: DeviceNames) -> ArchivedShare {
        var told = ArchivedShare()
        told.deviceId = lane.hex
        told.device = names.name(of: lane)
        told.own = lane == zone.lane
        told.segments = share.held.blobs
        told.messages = share.held.messages
        told.wantedSegments = share.wanted.blobs
        told.wantedMessages = share.wanted.messages
        told.newestTs = Int(clamping: share.newest)
        return told
    }
}
