package import NodeCore
import SyncState

/// Deleting: hidden at once on all devices, and cut out of the archive by whoever wrote the segment.
extension AccountZone {
    /// Deletes a message, held or not.
    package func delete(message txid: TxID) throws -> DeletionReport {
        try store.begin()
        let report = try self.report([txid: try chat.locations(of: txid)])
        let deletion = Deletion(message: txid)
        let isNew = try takeIn(deletion)
        if isNew { try write(deletion) }
        store.mustSettle = true
        return report.with(messages: isNew ? 1 : 0)
    }

    /// Deletes the messages that are in a conversation now. A later message opens it again.
    ///
    /// - Throws: `ChatError.unknownConversation` where there is none with messages or stubs.
    package func delete(conversation id: String, wall: WallTime) throws -> DeletionReport {
        try store.begin()
        let messages = try chat.conversation(id)?.messages ?? 0
        let (through, txids) = try chat.deletion(of: id, wall: wall)
        let report = try report(ofConversation: id)
        for txid in txids {
            let deletion = Deletion(message: txid)
            if try takeIn(deletion) { try write(deletion) }
        }
        if let through {
            let deletion = Deletion(conversation: id, through: through)
            if try takeIn(deletion) { try write(deletion) }
        }
        store.mustSettle = true
        return report.with(messages: messages)
    }

    /// What is deleted, one a subject, in the order of their names.
    package func deletions() throws -> [Deletion] { try liveDeletions.joined() }

    /// Takes over what was deleted elsewhere, from an archive. False if it says nothing new.
    package func adopt(_ deletion: Deletion) throws -> Bool {
        try store.begin()
        guard try takeIn(deletion) else { return false }
        try write(deletion)
        return true
    }

    /// Joins a deletion, of any device's. False if it says nothing new.
    @discardableResult
    func takeIn(_ deletion: Deletion) throws -> Bool {
        let isNew =
            switch deletion.subject {
            case .message(let txid): try chat.delete(txid)
            case .conversation(let id): try chat.delete(conversation: id, through: deletion.through)
            }
        if isNew {
            mustRecut.append(deletion.subject)
            store.mustSettle = true
        }
        return isNew
    }

    func write(_ deletion: Deletion) throws {
        try store.write(
            RecordMeta(type: .deletion, fields: deletion.encoded), slotName: deletion.subject.slotName,
            kind: .register)
    }

    /// Writes what is deleted here and no live register shows any more.
    func raiseDeletions() throws {
        for subject in liveDeletions.takeSuspects() {
            let live = try liveDeletions.deletions(of: subject)
            switch subject {
            case .message(let txid):
                if live.isEmpty { try write(Deletion(message: txid)) }
            case .conversation(let id):
                guard let through = try chat.deletedThrough(id), live.allSatisfy({ $0.through < through }) else {
                    continue
                }
                try write(Deletion(conversation: id, through: through))
            }
        }
    }
}

// MARK: - Cutting anew

extension AccountZone {
    /// Whether segments of this device wait to be cut anew without what is deleted.
    package var hasRecuts: Bool { recuts.count > 0 }

    /// Cuts some of the segments of this device anew that hold what is deleted: under the same name and slot, so that
    /// they go everywhere, with the same messages, but for the bodies of those deleted.
    package func recutDeleted() throws {
        for subject in mustRecut { try noteRecuts(of: subject) }
        mustRecut = []
        for seq in try recuts.take(limit: Limits.recutsAtOnce) { try recut(seq) }
    }

    private func noteRecuts(of subject: Deletion.Subject) throws {
        switch subject {
        case .message(let txid):
            for location in try chat.locations(of: txid) where !location.isQueued {
                guard let record = try segments.record(of: location.id), record.lane == lane else { continue }
                try recuts.add(record.seq)
            }
        case .conversation(let id):
            try forEachSegment(of: id, lane: lane) { record, _ in try recuts.add(record.seq) }
        }
    }

    private func recut(_ seq: UInt64) throws {
        for (row, record) in try store.rows(lane: store.ownNumber, from: seq, through: seq) {
            guard record.kind == .segment, try store.isLatest(row, slot: record.slot),
                let arrival = try store.arrival(of: row), let blob = try store.blob(arrival: arrival),
                let meta = segments.meta(of: record), let tag = try? sealer.open(record).tag,
                let held = try? blob.withUnsafeBytes({ bytes in
                    try chat.codec.messages(of: segments.sealed(record, meta, bytes))
                })
            else { continue }
            let left = try held.map { try chat.isDeletedForGood($0) ? $0.withoutBody : $0 }
            guard left != held else { continue }
            try write(chat.codec.draft(left, name: meta.name), tag: tag)
        }
    }

    private func write(_ draft: SegmentDraft, tag: Bytes16) throws {
        let arrival = try write(draft, under: tag)
        guard let record = try segments.record(of: arrival), let meta = segments.meta(of: record),
            let blob = try store.blob(arrival: Int64(arrival))
        else { return }
        try blob.withUnsafeBytes { bytes in
            _ = try chat.segmentArrived(arrival, segments.sealed(record, meta, bytes))
        }
    }

    private func forEachSegment(of conversation: String, lane id: LaneID, _ body: (Record, SegmentMeta) throws -> Void)
        throws
    {
        guard let number = store.numbers[id] else { return }
        var found: [(Record, SegmentMeta)] = []
        try store.forEachRow(lane: number, from: 0, through: SyncState.Limits.highestSeq) { _, encoded in
            guard let record = try? Record(encoded: encoded), let meta = segments.meta(of: record),
                meta.name.conversationID.utf8.elementsEqual(conversation.utf8)
            else { return }
            found.append((record, meta))
        }
        for (record, meta) in found { try body(record, meta) }
    }

    // MARK: Reporting

    private func report(_ locations: [TxID: [MessageLocation]]) throws -> DeletionReport {
        var segments: [LaneID: Int] = [:]
        for location in locations.values.flatMap({ $0 }) where !location.isQueued {
            guard let record = try self.segments.record(of: location.id) else { continue }
            segments[record.lane, default: 0] += 1
        }
        return report(segments)
    }

    private func report(ofConversation id: String) throws -> DeletionReport {
        var segments: [LaneID: Int] = [:]
        for lane in store.vector {
            try forEachSegment(of: id, lane: lane.id) { record, _ in segments[record.lane, default: 0] += 1 }
        }
        return report(segments)
    }

    private func report(_ segments: [LaneID: Int]) -> DeletionReport {
        var report = DeletionReport()
        for (id, count) in segments.sorted(by: { $0.key < $1.key }) {
            if id == lane {
                report.cutAnew += count
            } else if store.lane(id)?.isRetired == true {
                report.staySealed += count
            } else {
                report.waitFor.append((id, count))
            }
        }
        return report
    }
}

/// What a deletion does to the archive.
package struct DeletionReport: Sendable {
    /// Messages that were shown and are not any more.
    package var messages = 0
    /// Segments of this device, which are cut anew without the bodies.
    package var cutAnew = 0
    /// Segments of other devices, which these cut anew when the deletion reaches them.
    package var waitFor: [(device: LaneID, segments: Int)] = []
    /// Segments whose writer does not exist any more: the bodies stay in them, sealed.
    package var staySealed = 0

    func with(messages: Int) -> DeletionReport {
        var report = self
        report.messages = messages
        return report
    }
}

extension ChatMessage {
    /// Without what the sender wrote. It keeps its place, so that all know which message is gone.
    var withoutBody: ChatMessage {
        var message = self
        message.body = ""
        message.attachments = []
        return message
    }
}
