package import NodeCore
package import SyncState

/// The meaning of a group's records. No record is refused because of its writer: whether it counts is judged when
/// reading.
extension GroupZone: ZoneContent {
    package func open(_ record: Record) throws(RecordRejection) -> any RecordContent {
        guard record.kind == .immutable else { throw .malformedFields }
        let content = try read(record)
        if record.blob != nil, !isWorthItsBlob(content) { throw .notYet }
        return content ?? UnknownContent()
    }

    /// Blobs are large, and everybody stores them: the only one allowed is a list of names, by somebody who acts for
    /// the owner.
    private func isWorthItsBlob(_ content: GroupRecord?) -> Bool {
        guard case .unnamed(let encoded)? = content,
            let control = try? ControlRecord(encodedWithoutNames: encoded)
        else { return false }
        return control.by == member || state.ownershipRecords.contains { $0.holder == control.by }
    }

    /// The content of a record; nil for a type of a later version.
    func read(_ record: Record) throws(RecordRejection) -> GroupRecord? {
        let meta: RecordMeta
        switch try ring.open(record) {
        case .locked: return .locked
        case .meta(let opened): meta = opened
        }
        let content: GroupRecord?
        do {
            content = try GroupRecord(meta, hasBlob: record.blob != nil)
        } catch {
            throw .malformedFields
        }
        if let name = content?.slotName, ring.slot(named: name, tag: meta.tag) != record.slot { throw .foreignSlot }
        return content
    }

    package func added(_ content: any RecordContent, of record: Record, from origin: RecordOrigin) throws {
        let content = content as? GroupRecord
        try file(content, of: record)
        if case .score(let score)? = content { newScores.add(score, record.hash, today: Day(store.wall)) }
    }

    /// Rows of immutables disappear only through rot; they come back from a peer.
    package func removed(_ record: Record) throws { mustReread = true }

    package func blobAdded(
        _ blob: UnsafeRawBufferPointer, arrival: Int64, of record: Record, from origin: RecordOrigin
    ) throws {
        name(record, blob)
    }

    package func blobRemoved(arrival: Int64, of record: Record) throws { mustReread = true }

    // A group's records are never superseded.
    package func blobSetAside(of record: Record) throws {}
    package func asideHidden(arrival: Int64, of record: Record?) throws {}

    package var highestArrival: Int64 { 0 }

    /// No record is a register: an abandoned lane stays as it is.

    package func republish(from old: LaneID) throws {
        // The original keeps the right to admit with these; the copy must not.
        contents.issued = []
        try certifyLane()
    }

    package func settleValues() throws {}
}
