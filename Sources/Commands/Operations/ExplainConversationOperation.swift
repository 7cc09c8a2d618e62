import Chat
import Node
import NodeCore
import SyncState

/// `explain CONVERSATION`: who archived its messages, and what of them is still to come.
final class ExplainConversationOperation: ControlOperation {
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

    init(_ conversation: String, _ reporter: ZoneReporter) throws(NodeError) {
        guard !conversation.isEmpty else { throw NodeError(.usage, "explain needs TXID or CONVERSATION") }
        self.conversation = conversation
        self.reporter = reporter
    }

    package func step(
        input: inout ControlInput, reply: inout ControlReply, now: MonotonicTime
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

    private func answer() throws -> JSONValue {
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
        return .object([
            "conversationId": .string(conversation), "sentence": .string(sentence),
            "messages": .number(summary?.messages ?? 0), "unread": .number(summary?.unread ?? 0),
            "wantedMessages": .number(wanted.messages), "wantedBytes": .number(wanted.bytes),
            "segments": .array(ordered.map { json($0.key, $0.value, names) }),
            "blockedBy": .optional(wanted.blobs > 0 ? report.reason : nil), "state": .string(report.state),
            "nextTry": .optional(wanted.blobs > 0 ? report.until?.milliseconds : nil),
        ])
    }

    private func json(_ lane: LaneID, _ share: Share, _ names: DeviceNames) -> JSONValue {
        .object([
            "deviceId": .string(lane.hex), "device": .string(names.name(of: lane)), "own": .bool(lane == zone.lane),
            "segments": .number(share.held.blobs), "messages": .number(share.held.messages),
            "wantedSegments": .number(share.wanted.blobs), "wantedMessages": .number(share.wanted.messages),
            "newestTs": .number(share.newest),
        ])
    }
}
