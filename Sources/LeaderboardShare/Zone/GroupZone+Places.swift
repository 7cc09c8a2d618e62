package import NodeCore
package import SyncState

/// Assigns places when a group has the maximum number of lanes. Each member is entitled to as many as it certifies with
/// different indices, lowest ids first. So nobody, with whatever keys, keeps another's results out.
extension GroupZone {
    /// A newly admitted member holds no record yet, and learns from its welcome whose lanes matter: otherwise junk that
    /// arrives first could keep them out.
    package func laneToForget(for record: Record, _ content: any RecordContent) throws -> LaneID? {
        guard case .control(let control)? = content as? GroupRecord,
            case .certificate(record.lane, _) = control.act, doorState.hasBeenIn(control.by)
        else { return nil }
        var kept = keptLanes ?? doorState.lanesWithPlace
        let own = doorState.devices(of: control.by).filter(kept.contains)
        guard own.count < Int(Limits.deviceIndices) else { return nil }
        // Among the lanes not entitled to a place, drop the highest id: nodes that hold the same lanes choose alike.
        let victim = store.vector.last { !kept.contains($0.id) && $0.id != lane }?.id
        if victim != nil { kept.insert(record.lane) }
        keptLanes = kept
        return victim
    }

    package func forgot(lane number: Int) throws {
        // The content read from it no longer counts.
        mustReread = true
    }
}
