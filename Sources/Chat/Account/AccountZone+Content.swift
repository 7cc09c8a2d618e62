package import NodeCore
package import SyncState

/// What an account's records mean.
extension AccountZone: ZoneContent {
    package func open(_ record: Record) throws(RecordRejection) -> any RecordContent {
        let meta = try sealer.open(record)
        guard let type = MetaType(rawValue: meta.type)?.record else { return UnknownContent() }
        guard let content = try? type.init(fields: meta.fields, hasBlob: record.blob != nil), type.kind == record.kind
        else { throw .malformedFields }
        guard sealer.slot(named: content.slotName(in: record.lane), tag: meta.tag) == record.slot else {
            throw .foreignSlot
        }
        return content
    }

    package func merge(_ content: any RecordContent, of record: Record) throws {
        switch content {
        case let marker as ReadMarker:
            guard try chat.mergeRead(marker, from: record.lane) else { return }
            try liveMarkers.suspect(marker.conversationID, of: marker.position)
            noteRead(marker.conversationID)
            // A register that is superseded on arrival counts as well, and no live one may show it.
            store.mustSettle = true
        case let state as AccountState: try join(state)
        case let details as ConversationDetails: try join(details)
        case let membership as GroupMembership: try join(membership)
        case let achievements as AchievementRecord: if let payload = achievements.payload { try join(payload) }
        case let deletion as Deletion:
            try takeIn(deletion)
            liveDeletions.suspect(deletion.subject)
        default: break
        }
    }

    package func added(_ content: any RecordContent, of record: Record) throws {
        if let sum = content.blobSum(of: record) {
            store.changeContent(of: record.lane) { lane in
                // What is cut here is here.
                if isCutting { lane.held = lane.held + sum } else { lane.wanted = lane.wanted + sum }
                lane.newest = max(lane.newest, content.newestMessage)
            }
        }
        try noteAdvance(of: record)
        switch content {
        case is SegmentMeta: break
        case let marker as ReadMarker: try liveMarkers.put(marker, lane: record.lane)
        case let state as AccountState: try liveStates.put(state, lane: record.lane)
        case let facts as ChainFacts: _ = try chat.merge(facts)
        case let deletion as Deletion: try liveDeletions.put(deletion, lane: record.lane)
        case let description as DeviceDescription:
            try deviceTable.put(description, lane: record.lane)
            changes.note(.device(record.lane))
        case let given as GivenName: try takeIn(given, lane: record.lane)
        case let retirement as Retirement: changes.note(.device(retirement.lane))
        case is UnknownContent: unknownRecords += 1
        default: break
        }
    }

    package func removed(_ record: Record) throws {
        if record.blob != nil, let sum = try? open(record).blobSum(of: record) {
            store.changeContent(of: record.lane) { $0.wanted = $0.wanted - sum }
        }
        guard record.kind == .register, let content = try? open(record) else { return }
        switch content {
        case let marker as ReadMarker: try liveMarkers.remove(marker, lane: record.lane)
        case is AccountState: try liveStates.remove(lane: record.lane)
        case let deletion as Deletion: try liveDeletions.remove(deletion, lane: record.lane)
        case let details as ConversationDetails: suspectDetails.insert(ExactText(details.conversationID))
        case let membership as GroupMembership: suspectMemberships.insert(membership.group)
        case is AchievementRecord: areAchievementsSuspect = true
        case let given as GivenName:
            try givenNames.remove(given, lane: record.lane)
            changes.note(.device(given.device))
        default: return
        }
        store.mustSettle = true
    }

    package func blobAdded(_ blob: UnsafeRawBufferPointer, arrival: Int64, of record: Record) throws {
        if isCutting { return }
        let meta = segments.meta(of: record)
        let sum = BlobSum(blobs: 1, messages: meta?.messageCount ?? 0, bytes: blob.count)
        store.changeContent(of: record.lane) { content in
            content.wanted = content.wanted - sum
            content.held = content.held + sum
        }
        store.fetched = store.fetched + sum
        guard let meta else {
            try achievementBlob(blob, of: record)
            return try chat.passed(UInt64(arrival))
        }
        let sealed = segments.sealed(record, meta, blob)
        let news = try news(of: sealed, arrival: UInt64(arrival))
        let outcome = try chat.segmentArrived(UInt64(arrival), sealed)
        if case .refused = outcome, meta.payloadVersion <= chat.payloadVersion { unreadableSegments += 1 }
        note(outcome, news, conversation: meta.name.conversationID)
        if chat.hasUnpublishedFacts { store.mustSettle = true }
    }

    package func blobRemoved(arrival: Int64, of record: Record) throws {
        try blobSetAside(of: record)
        try asideRemoved(arrival: arrival, of: record)
    }

    package func blobSetAside(of record: Record) throws {
        let messages = segments.meta(of: record)?.messageCount ?? 0
        // As long as its row stays, it is wanted again.
        let sum = BlobSum(blobs: 1, messages: messages, bytes: record.blob?.sizeBytes ?? 0)
        store.changeContent(of: record.lane) { content in
            content.held = content.held - sum
            content.wanted = content.wanted + sum
        }
    }

    package func asideRemoved(arrival: Int64, of record: Record?) throws {
        guard let record else { return try chat.segmentRemoved(UInt64(arrival), nil) }
        guard let meta = segments.meta(of: record), let blob = try store.blob(arrival: arrival) else { return }
        try blob.withUnsafeBytes { bytes in
            try chat.segmentRemoved(UInt64(arrival), segments.sealed(record, meta, bytes))
        }
    }

    package var highestArrival: Int64 { 0 }
    package var retiresLanes: Bool { true }

    package func republish(from old: LaneID) throws {
        chat.lane = store.device.lane
        // The store may be an older copy, with other changes to come than readers were told.
        try changes.renew()
        for marker in try liveMarkers.markers(of: old) {
            try writeMarker(marker, to: try chat.positionToPublish(marker.conversationID))
        }
        if let state { try writeState(state) }
        for deletion in try liveDeletions.deletions(of: old) { try write(deletion) }
        try republishDetails(from: old)
        try republishMemberships(from: old)
        try republishAchievements()
        try describeDevice(predecessor: old)
        if let given = try givenNames.name(of: old) { try write(given, of: lane) }
    }

    package func mendDerived() throws -> [String] {
        try store.begin()
        return try chat.mendIndex() ? ["the index of messages was damaged; derived anew from segments and queue"] : []
    }

    package func countLost() throws -> Int { try chat.countUnreadableQueued() }

    package func raiseEffectiveValues() throws {
        try raiseState()
        try keepGivenName()
        try publishFacts()
        try raiseDeletions()
        try recutDeleted()
        try rescueAside()
        try raiseDetails()
        try raiseMemberships()
        try raiseAchievements()
        for (conversation, lacking) in try liveMarkers.takeLacking() {
            let before = try chat.readPosition(conversation)
            let position = try chat.positionToPublish(conversation)
            // Of what is lacking, some of the names may not be needed any more.
            var needed = lacking
            let names = Set(try chat.names(for: position))
            needed.named.removeAll { !names.contains($0) }
            if try position != before || !livePosition(conversation).contains(needed) {
                let held = try liveMarkers.markers(of: conversation).last
                guard let marker = try chat.shownMarker(conversation) ?? held else { continue }
                try writeMarker(marker, to: position)
            }
            let shown = try livePosition(conversation).named
            try chat.forget(names: lacking.named.filter { !shown.contains($0) }, of: conversation)
        }
    }

    /// Writes the own register, raised to a position.
    func writeMarker(_ marker: ReadMarker, to position: ReadPosition) throws {
        let marker = marker.raised(to: try chat.shortened(position))
        try store.write(
            RecordMeta(type: .readMarker, fields: marker.encoded), slotName: marker.slotName, kind: .register)
    }
}

extension RecordContent {
    /// What a record adds to the sums of its lane; nil where it has no blob.
    func blobSum(of record: Record) -> BlobSum? {
        record.blob.map { BlobSum(blobs: 1, messages: messages, bytes: $0.sizeBytes) }
    }
}

extension ReadMarker {
    package var slotName: String { "read.\(conversationID)" }

    func raised(to position: ReadPosition) -> ReadMarker {
        var raised = self
        raised.position = position
        return raised
    }
}
