import Chat
import Node
import NodeCore
import SyncState

/// `explain TXID`: where each copy is and how it came; of one that is not here, what may bring it.
final class ExplainMessageOperation: ControlOperation {
    let changesData = false
    private let txid: TxID
    private let reporter: ZoneReporter
    private var zone: AccountZone { reporter.account.zone }
    /// The last row that was looked at for segments still to come.
    private var row: RowID?
    /// Segments still to come that may hold it.
    private var awaited: [SegmentPlace] = []

    init(_ txid: TxID, _ reporter: ZoneReporter) {
        self.txid = txid
        self.reporter = reporter
    }

    package func step(
        input: inout ControlInput, reply: inout ControlReply, now: MonotonicTime
    ) throws(NodeError) -> OperationProgress {
        do {
            if zone.store.wantedCount > 0 {
                let (places, last) = try zone.archive.segments(after: row, limit: Limits.explainSliceRows)
                awaited += places.filter { $0.arrival == nil && $0.meta.mayHold(txid) }
                row = last
                if last != nil { return .again }
            }
            reply.data(try answer())
            return .done
        } catch {
            throw NodeError(cause: error)
        }
    }

    private func answer() throws -> JSONValue {
        let names = try DeviceNames(reporter)
        let copies = try zone.chat.copies(of: txid)
        let message = try zone.chat.message(txid)?.message
        let isHere = message?.hasContent == true
        let stub = try zone.chat.stub(txid)
        let isDeleted = try zone.chat.isDeleted(txid)
        guard isDeleted || !copies.isEmpty || stub != nil || !awaited.isEmpty else {
            throw NodeError(.notFound, "nothing is known here of the message \(txid.hex)")
        }
        let report = try reporter.report()
        let blocks = isHere || isDeleted ? nil : report.reason ?? (awaited.isEmpty ? "no device in reach has it" : nil)
        // A placeholder has a time of its own; the zone's is that of the next attempt at a device.
        let next = isHere || isDeleted ? nil : reporter.nextTry(of: txid) ?? report.until
        return .object([
            "txid": .string(txid.hex), "status": .string(isDeleted ? "deleted" : isHere ? "held" : "syncing"),
            "conversationId": .optional(message?.conversationID ?? stub?.conversationID),
            "sentence": .string(
                isDeleted ? Self.sentence(deleted: copies.count) : sentence(copies, names, isHere: isHere)),
            "copies": .array(try copies.map { try json($0, names) }),
            "awaited": .array(awaited.map { json($0, names) }),
            "hintedAt": .optional(stub?.hintedAt.milliseconds), "blockedBy": .optional(blocks),
            "state": .string(report.state), "nextTry": .optional(next?.milliseconds),
        ])
    }

    private static func sentence(deleted copies: Int) -> String {
        guard copies > 0 else { return "it is deleted, on all devices" }
        return "it is deleted, on all devices; \(Wording.count(copies, "segment")) here held its body when it was, and "
            + "\(copies == 1 ? "is" : "are") cut anew without it where the writer still exists"
    }

    private func sentence(_ copies: [MessageCopy], _ names: DeviceNames, isHere: Bool) -> String {
        if isHere {
            guard copies.first?.place != .queue else {
                return "it is here, and goes to the other devices when its segment is cut: soon, or by `flush`"
            }
            return "it is here" + (copies.count > 1 ? ", in \(copies.count) copies" : "")
        }
        guard let place = awaited.first else { return "it is known to exist; its body is not here yet" }
        return "it is not here yet: a segment of \(names.name(of: place.lane)) that may hold it is still to come"
    }

    private func json(_ copy: MessageCopy, _ names: DeviceNames) throws -> JSONValue {
        guard case .segment(let arrival) = copy.place, let (place, came) = try zone.archive.segment(arrival: arrival)
        else {
            return .object([
                "place": .string("queue"), "shown": .bool(copy.isShown), "deviceId": .string(zone.lane.hex),
                "device": .string(names.name(of: zone.lane)), "own": .bool(true), "heldBy": .array([]),
            ])
        }
        return .object([
            "place": .string("segment"), "shown": .bool(copy.isShown), "deviceId": .string(place.lane.hex),
            "device": .string(names.name(of: place.lane)), "own": .bool(place.lane == zone.lane),
            "seq": .number(place.seq), "segment": .string(place.meta.name.text),
            "messages": .number(place.meta.messageCount), "bytes": .number(place.sizeBytes),
            "arrivedAt": .optional(came.at?.milliseconds),
            "from": .optional(came.from.map { $0 == zone.lane ? "written here" : names.name(of: $0) }),
            "heldBy": .array(names.holding(since: came.at).map { .string($0) }),
        ])
    }

    private func json(_ place: SegmentPlace, _ names: DeviceNames) -> JSONValue {
        .object([
            "deviceId": .string(place.lane.hex), "device": .string(names.name(of: place.lane)),
            "seq": .number(place.seq), "messages": .number(place.meta.messageCount),
            "bytes": .number(place.sizeBytes), "endTs": .number(place.meta.endTimestamp),
        ])
    }
}
