import Chat
import Node
import NodeCore
import NodeModel
import SyncState

/// `explain TXID`: the place of each copy and how it arrived; for a missing message, the segments that may bring it.
final class ExplainMessageOperation: Operation {
    let changesData = false
    private let txid: TxID
    private let reporter: ZoneReporter
    private var zone: AccountZone { reporter.account.zone }
    /// The last row searched for segments still to come.
    private var row: RowID?
    /// Segments still to come that may hold it.
    private var awaited: [SegmentPlace] = []

    init(_ txid: TxID, _ reporter: ZoneReporter) {
        self.txid = txid
        self.reporter = reporter
    }

    func step(input: inout InputLines, reply: inout CommandReply, now: MonotonicTime) throws -> OperationProgress {
        if zone.store.wantedCount > 0 {
            let (places, last) = try zone.archive.segments(after: row, limit: Limits.explainSliceRows)
            awaited += places.filter { $0.arrival == nil && $0.meta.mayHold(txid) }
            row = last
            if last != nil { return .again }
        }
        reply.data(try answer())
        return .done
    }

    private func answer() throws -> Explanation {
        let names = try DeviceNames(reporter)
        let copies = try zone.chat.copies(of: txid)
        let message = try zone.chat.message(txid)?.message
        let isHere = message?.hasContent == true
        let stub = try zone.chat.stub(txid)
        let isDeleted = try zone.chat.isDeleted(txid)
        guard isDeleted || !copies.isEmpty || stub != nil || !awaited.isEmpty else {
            throw NodeError(.notFound, "the message \(txid.hex) is unknown here")
        }
        let report = try reporter.report()
        let blocks = isHere || isDeleted ? nil : report.reason ?? (awaited.isEmpty ? "no device in reach has it" : nil)
        // A placeholder has its own next attempt; the zone's is the next connection to a device.
        let next = isHere || isDeleted ? nil : reporter.nextTry(of: txid) ?? report.until
        return try Explanation {
            $0.sentence = isDeleted ? Self.sentence(deleted: copies) : sentence(copies, names, isHere: isHere)
            $0.conversationId = message?.conversationID ?? stub?.conversationID
            ($0.state, $0.blockedBy, $0.nextTry) = (report.state, blocks, next.map { Int($0.milliseconds) })
            $0.message = try ExplainedMessage {
                ($0.txid, $0.status) = (txid.hex, isDeleted ? .deleted : isHere ? .held : .syncing)
                $0.copies = try copies.map { try place(of: $0, names) }
                $0.awaited = awaited.map { AwaitedSegment($0, device: names.name(of: $0.lane)) }
                $0.hintedAt = stub.map { Int($0.hintedAt.milliseconds) }
            }
        }
    }

    private static func sentence(deleted copies: [MessageCopy]) -> String {
        let segments = copies.count { $0.place != .queue }
        guard segments > 0 else { return "it was deleted on all devices" }
        return "it was deleted on all devices; \(Wording.count(segments, "segment")) here held its body then, and "
            + "\(segments == 1 ? "is" : "are") rewritten without it if the writer still exists"
    }

    private func sentence(_ copies: [MessageCopy], _ names: DeviceNames, isHere: Bool) -> String {
        if isHere {
            guard copies.first?.place != .queue else {
                return "it is here, and goes to the other devices when its segment is written: soon, or with a flush"
            }
            return "it is here" + (copies.count > 1 ? ", in \(copies.count) copies" : "")
        }
        guard let place = awaited.first else { return "it is known to exist; its body is not here yet" }
        return "it is not here yet: a segment of \(names.name(of: place.lane)) that may hold it is still to come"
    }

    private func place(of copy: MessageCopy, _ names: DeviceNames) throws -> CopyPlace {
        var told = CopyPlace()
        told.shown = copy.isShown
        guard case .segment(let arrival) = copy.place, let (place, came) = try zone.archive.segment(arrival: arrival)
        else {
            told.deviceId = zone.lane.hex
            told.device = names.name(of: zone.lane)
            return told
        }
        told.place = .segment
        told.deviceId = place.lane.hex
        told.device = names.name(of: place.lane)
        told.own = place.lane == zone.lane
        told.heldBy = names.holding(since: came.at)
        var segment = CopyPlace.Segment()
        segment.seq = Int(clamping: place.seq)
        segment.segment = place.meta.name.text
        segment.messages = place.meta.messageCount
        segment.bytes = place.sizeBytes
        segment.arrivedAt = came.at.map { Int($0.milliseconds) }
        segment.from = came.from.map { $0 == zone.lane ? "written here" : names.name(of: $0) }
        told.segment = segment
        return told
    }
}

extension AwaitedSegment {
    fileprivate init(_ place: SegmentPlace, device: String) {
        self.init()
        deviceId = place.lane.hex
        self.device = device
        seq = Int(clamping: place.seq)
        messages = place.meta.messageCount
        bytes = place.sizeBytes
        endTs = Int(clamping: place.meta.endTimestamp)
    }
}

/// Names of an account's devices, for sentences.
struct DeviceNames {
    private let zone: AccountZone
    private let devices: [DeviceReport]

    init(_ reporter: ZoneReporter) throws {
        zone = reporter.account.zone
        devices = try reporter.account.devices(reporter.network?.served(reporter.account), clock: reporter.clock)
    }

    /// A device that is gone is none of the account's.
    package func name(of lane: LaneID) -> String {
        if lane == zone.lane { return "this device" }
        return devices.first { $0.lane == lane }?.shownName ?? "device \(lane.shortHex), which is gone"
    }

    /// The other devices known to hold everything that was here at the given time.
    func holding(since time: WallTime?) -> [String] {
        guard let time else { return [] }
        return devices.filter { !$0.isThis && $0.holdsUpTo.map { $0 >= time } == true }.map(\.shownName)
    }
}
