package import NodeCore
package import SyncState

/// Who gets a place where a group has as many lanes as it may have. Each member has a right to as many as it certifies
/// with different indices, lowest ids first; so nobody, with whatever keys, keeps another's results out.
extension GroupZone {
    /// Who was just let in holds no record yet, and knows from its welcome whose lanes bring them: else others' junk
    /// that comes first would keep it out.
    package func laneToForget(for record: Record, _ content: any RecordContent) throws -> LaneID? {
        guard case .control(let control)? = content as? GroupRecord,
            case .certificate(record.lane, _) = control.act, doorState.hasBeenIn(control.by)
        else { return nil }
        var kept = keptLanes ?? doorState.lanesWithPlace
        let own = doorState.devices(of: control.by).filter(kept.contains)
        guard own.count < Int(Limits.deviceIndices) else { return nil }
        // Of those without a right the highest id: nodes that hold the same lanes choose alike.
        let victim = store.vector.last { !kept.contains($0.id) && $0.id != lane && !$0.isRetired }?.id
        if victim != nil { kept.insert(record.lane) }
        keptLanes = kept
        return victim
    }

    package func forgot(lane number: Int) throws {
        // What was read of it counted for nothing.
        mustReread = true
    }
}
