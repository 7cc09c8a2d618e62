import Ledger
package import NodeCore

/// How a node judges those that it meets (docs/PROTOCOL.md, §5.4).
extension ZoneMembership {
    /// Judges the device that writes a lane. A Remove says whose it is only in an account, which has one person.
    package func standing(of lane: LaneID) -> PeerStanding {
        var shown: [LedgerRecord] = []
        for key in state.keys(of: lane, onlyEntered: !state.set.isAccount) {
            switch state.standing(of: key) {
            // A succeeded lane belongs to a copy of a device that started afresh: it learns that here.
            case .active, .succeeded: return .proven
            // The person may have let it in again, so it is first asked to show its way in.
            case .lapsed where state.set.isAccount: continue
            // A member that leaves a group has to tell another member; its own devices learn it from each other.
            case .displaced where key.member == member && state.hasLeft(member) && !isMemberDismissed: return .proven
            default:
                // A Remove may mean the lane as a device's and as a replica's.
                if isGone(key, in: state) { shown += state.removal(of: key).filter { !shown.contains($0) } }
            }
        }
        return shown.isEmpty ? .unknown : .dismissed(Self.encode(shown))
    }

    /// Whether an Enter of the lane is held, counting or not.
    package func hasEntered(_ lane: LaneID) -> Bool { !state.keys(of: lane, onlyEntered: true).isEmpty }

    /// Judges the device again with the records that show its way into the zone, as if all records that they follow
    /// were held. The ledgers are made equal next, and then it is judged by them alone.
    package func standing(of lane: LaneID, shown path: [UInt8]) throws -> PeerStanding {
        guard let shown = Self.decode(path) else { return .wrong }
        try store.begin()
        guard try !records.take(shown).isForged else { return .wrong }
        let standing = standing(of: lane)
        guard standing == .unknown, let assumed = assuming(shown) else { return standing }
        let keys = assumed.keys(of: lane, onlyEntered: !state.set.isAccount)
        if !state.set.isAccount, keys.contains(where: { assumed.standing(of: $0) == .active }) { return .proven }
        // A new device of somebody who is gone, or one that was let in by a device that is gone.
        let shows = keys.filter { isGone($0, in: assumed) }.flatMap(assumed.removal)
        if !shows.isEmpty { return .dismissed(Self.encode(shows)) }
        // Its member's tickets were taken away before anybody here heard of the member.
        let lapses = Set(keys.map(\.member)).filter { assumed.role(of: $0) == .none }.sorted()
            .flatMap(assumed.tickets(claimedBy:)).flatMap(assumed.shown(against:key:))
        // The lanes that let it in, or said that it belongs here, may have been removed: a device whose home was
        // restored from a removed one's knows nothing of that, and could not come in by another.
        let signers = Set(shown.compactMap { try? LedgerRecord(encoded: $0).lane })
        let removals = signers.sorted().flatMap { assumed.keys(of: $0, onlyEntered: true) }.flatMap(assumed.removal)
        let hasLapsed = keys.contains { assumed.standing(of: $0) == .lapsed } && !removals.isEmpty
        guard !lapses.isEmpty || hasLapsed else { return .unknown }
        var encoded: Set<RecordHash> = []
        return .dismissed(Self.encode((lapses + removals).filter { encoded.insert($0.hash).inserted }))
    }
}
