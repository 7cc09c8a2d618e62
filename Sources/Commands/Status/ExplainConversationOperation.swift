import Chat
import Node
import NodeCore
import NodeModel
import SyncState

/// `explain CONVERSATION`: the devices that archived its messages, and the segments still to come.
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

    func step(input: inout InputLines, reply: inout CommandReply, now: MonotonicTime) throws -> OperationProgress {
        let wanted = ExactText(conversation)
        let (places, last) = try zone.archive.segments(after: row, limit: Limits.explainSliceRows)
        for place in places where ExactText(place.meta.name.conversationID) == wanted { add(place) }
        row = last
        if last != nil { return .again }
        reply.data(try answer())
        return .done
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
                ? "\(Wording.count(missed, "message")) of it not here yet"
                : "all its known messages are here"
            : "\(Wording.messages(wanted)) of \(whom.joined(separator: ", ")) still to come"
        return Explanation {
            ($0.sentence, $0.conversationId, $0.state) = (sentence, conversation, report.state)
            if wanted.blobs > 0 {
                ($0.blockedBy, $0.nextTry) = (report.reason, report.until.map { Int($0.milliseconds) })
            }
            $0.conversation = ExplainedConversation {
                ($0.messages, $0.unread) = (summary?.messages ?? 0, summary?.unread ?? 0)
                ($0.wantedMessages, $0.wantedBytes) = (wanted.messages, wanted.bytes)
                $0.segments = ordered.map { archived($0.key, $0.value, names) }
            }
        }
    }

    private func archived(_ lane: LaneID, _ share: Share, _ names: DeviceNames) -> ArchivedShare {
        ArchivedShare {
            ($0.deviceId, $0.device, $0.own) = (lane.hex, names.name(of: lane), lane == zone.lane)
            ($0.segments, $0.messages) = (share.held.blobs, share.held.messages)
            ($0.wantedSegments, $0.wantedMessages) = (share.wanted.blobs, share.wanted.messages)
            $0.newestTs = Int(clamping: share.newest)
        }
    }
}
