package import NodeCore

/// What an account's records mean.
extension AccountZone: ZoneContent {
    package func open(_ record: Record) throws(RecordRejection) -> OpenedRecord {
        let meta = try sealer.open(record)
        guard let type = MetaType(rawValue: meta.type) else {
            return OpenedRecord(content: .unknown, priority: 0)
        }
        let content: RecordContent
        do {
            content = try Self.content(type, fields: meta.fields, hasBlob: record.blob != nil)
        } catch {
            throw .malformedFields
        }
        guard content.kinds.contains(record.kind) else { throw .malformedFields }
        if let name = content.slotName(lane: record.lane), sealer.slot(named: name, tag: meta.tag) != record.slot {
            throw .foreignSlot
        }
        return OpenedRecord(content: content, priority: content.priority)
    }

    private static func content(_ type: MetaType, fields: [UInt8], hasBlob: Bool) throws -> RecordContent {
        switch type {
        case .accountState: .accountState(try AccountState(encoded: fields))
        case .conversation: .conversation(try ConversationDetails(encoded: fields))
        case .retire: .retirement(try Retirement(encoded: fields))
        case .chainFacts: .chainFacts(try ChainFacts(encoded: fields))
        case .deletion: .deletion(try Deletion(encoded: fields))
        case .segment: .segment(try SegmentMeta(decoding: fields))
        case .readMarker: .readMarker(try ReadMarker(decoding: fields))
        case .device: .device(try DeviceDescription(encoded: fields))
        case .givenName: .givenName(try GivenName(encoded: fields))
        case .opaque: .opaque(try OpaqueName(encoded: fields))
        case .groupMembership: .groupMembership(try GroupMembership(encoded: fields))
        case .achievements: .achievements(try AchievementRecord(encoded: fields, hasBlob: hasBlob))
        }
    }

    package func merge(_ opened: OpenedRecord, of record: Record) throws {
        switch opened.content {
        case .accountState(let state): try join(state)
        case .conversation(let details): try join(details)
        case .groupMembership(let membership): try join(membership)
        case .achievements(let fields): if let payload = fields.payload { try join(payload) }
        case .deletion(let deletion):
            try takeIn(deletion)
            liveDeletions.suspect(deletion.subject)
        case .readMarker(let marker):
            guard try chat.mergeRead(marker, from: record.lane) else { return }
            try liveMarkers.suspect(marker.conversationID, of: marker.position)
            noteRead(marker.conversationID)
            // A register that is superseded on arrival counts as well, and no live one may show it.
            store.mustSettle = true
        default: break
        }
    }

    package func added(_ opened: OpenedRecord, of record: Record) throws {
        if let sum = opened.blobSum(of: record) {
            store.changeContent(of: record.lane) { content in
                // What is cut here is here.
                if isCutting { content.held = content.held + sum } else { content.wanted = content.wanted + sum }
                content.newest = max(content.newest, opened.content.priority)
            }
        }
        try noteAdvance(of: record)
        switch opened.content {
        case .accountState(let state): try liveStates.put(state, lane: record.lane)
        case .chainFacts(let facts): _ = try chat.merge(facts)
        case .deletion(let deletion): try liveDeletions.put(deletion, lane: record.lane)
        case .device(let description):
            try deviceTable.put(description, lane: record.lane)
            changes.note(.device(record.lane))
        case .givenName(let given): try takeIn(given, lane: record.lane)
        case .readMarker(let marker): try liveMarkers.put(marker, lane: record.lane)
        case .unknown: unknownRecords += 1
        case .retirement(let retirement): changes.note(.device(retirement.lane))
        case .achievements, .conversation, .groupMembership, .segment, .opaque, .other: break
        }
    }

    package func removed(_ record: Record) throws {
        if record.blob != nil, let sum = try? open(record).blobSum(of: record) {
            store.changeContent(of: record.lane) { $0.wanted = $0.wanted - sum }
        }
        guard record.kind == .register, let content = try? open(record).content else { return }
        switch content {
        case .accountState: try liveStates.remove(lane: record.lane)
        case .deletion(let deletion): try liveDeletions.remove(deletion, lane: record.lane)
        case .conversation(let details): suspectDetails.insert(ExactText(details.conversationID))
        case .groupMembership(let membership): suspectMemberships.insert(membership.group)
        case .achievements: areAchievementsSuspect = true
        case .givenName(let given):
            try givenNames.remove(given, lane: record.lane)
            changes.note(.device(given.device))
        case .readMarker(let marker): try liveMarkers.remove(marker, lane: record.lane)
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

extension OpenedRecord {
    /// What a record adds to the sums of its lane; nil where it has no blob.
    func blobSum(of record: Record) -> BlobSum? {
        record.blob.map { BlobSum(blobs: 1, messages: content.messages, bytes: $0.sizeBytes) }
    }
}

extension RecordContent {
    /// How records of this content may be kept.
    var kinds: [RecordKind] {
        switch self {
        case .accountState: [.register]
        case .retirement: [.retire]
        case .segment: [.segment]
        case .achievements, .conversation, .deletion, .groupMembership, .readMarker, .device,
            .givenName:
            [.register]
        case .chainFacts, .opaque: [.immutable]
        case .unknown, .other: RecordKind.allCases
        }
    }

    /// What the slot is about, in UTF-8; nil where this version cannot know.
    func slotName(lane: LaneID) -> [UInt8]? {
        switch self {
        case .accountState: Array(AccountState.slotName.utf8)
        case .conversation(let details): Array(details.slotName.utf8)
        case .achievements: Array(AchievementRecord.slotName.utf8)
        case .groupMembership(let membership): Array(GroupMembership.slotName(of: membership.group).utf8)
        case .retirement(let retirement): Array(retirement.slotName.utf8)
        case .chainFacts: Array(ChainFacts.slotName.utf8)
        case .deletion(let deletion): Array(deletion.subject.slotName.utf8)
        case .segment(let meta): meta.name.bytes
        case .readMarker(let marker): Array(marker.slotName.utf8)
        case .device: Array(DeviceDescription.slotName(of: lane).utf8)
        case .givenName(let given): Array(given.slotName.utf8)
        case .opaque(let name): Array(name.slotName.utf8)
        case .unknown, .other: nil
        }
    }

    var priority: Int64 {
        if case .segment(let meta) = self { return Int64(clamping: meta.endTimestamp) }
        return 0
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
