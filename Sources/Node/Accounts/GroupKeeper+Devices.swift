package import Chat
import Gossip
import LeaderboardShare
package import Ledger
package import NodeCore
import SyncState

/// The account's devices in its groups: one that stands there lets the others in.
extension GroupKeeper {
    /// Says which lane is this device's in a group, lets those of the account's other devices in, and comes in by them.
    /// True if the next turn should see a change.
    func letIn(_ group: NodeGroup) -> Bool {
        guard group.isIn, group.fault == nil, group.owner.zone.membership.ownStanding == .active else { return false }
        let (account, zone) = (group.owner.zone, group.zone)
        let seen = [
            account.inGroups.lanes.revision, account.inGroups.entrances.revision, zone.membership.records.revision,
        ]
        guard group.seenLanes != seen else { return false }
        do {
            let device = zone.store.device
            try account.inGroups.lanes.say(
                GroupLane(
                    group: zone.zone, member: zone.member, lane: device.lane, sealKey: device.sealing.publicKey))
            if zone.lacking != nil {
                for entrance in try account.inGroups.entrances.all(of: device.lane, in: zone.zone)
                where zone.lacking != nil {
                    try zone.enter(
                        by: GroupEndorsement(
                            endorser: entrance.endorser, signature: entrance.signature, path: entrance.path))
                }
            } else {
                try letIn(othersOf: group)
            }
            group.seenLanes = seen
            return true
        } catch {
            // A failing store reports itself, and this is retried with the next turn that something else brings.
            node.errors.note(NodeError(cause: error).code.rawValue, at: node.clock.wall())
            return false
        }
    }

    private func letIn(othersOf group: NodeGroup) throws {
        let (account, zone) = (group.owner.zone, group.zone)
        for (device, claim) in try account.inGroups.lanes.all(in: zone.zone)
        where claim.member == zone.member && account.membership.laneStanding(of: device) == .active {
            let known = try account.inGroups.entrances.all(of: claim.lane, in: zone.zone)
            let isLetIn = known.contains { entrance in
                zone.state.standing(of: zone.membership.key(of: entrance.endorser)) == .active
            }
            guard !isLetIn, let endorsement = try zone.endorse(claim.lane, sealKey: claim.sealKey) else { continue }
            try account.inGroups.entrances.put(
                GroupLaneEndorsement(
                    group: zone.zone, lane: claim.lane, endorser: endorsement.endorser,
                    signature: endorsement.signature, path: endorsement.path))
        }
    }

    /// The lanes of a device in the account's groups, by its own records; also in those that have ended, since that may
    /// have been its doing.
    ///
    /// - Parameter lanes: the device's lanes in the account.
    package func lanes(of lanes: Set<LaneID>, in account: NodeAccount) throws -> [ZoneID: [LaneID]] {
        var found: [ZoneID: [LaneID]] = [:]
        for group in account.groups where group.fault == nil {
            let claims = try account.zone.inGroups.lanes.all(in: group.zone.zone).filter { device, claim in
                lanes.contains(device) && claim.member == group.zone.member
            }
            if !claims.isEmpty { found[group.zone.zone] = claims.map(\.lane.lane) }
        }
        return found
    }

    /// Shuts lanes out of the account's groups, signed by the persons as whom the account is there. What came here of
    /// these lanes before `since` stays.
    ///
    /// - Returns: the groups where that could not be done, and those where all stays because this device came there
    ///   later.
    package func remove(
        _ lanes: [ZoneID: [LaneID]], since: WallTime?, of account: NodeAccount, by signer: AccountSigner
    ) -> (failed: [NodeGroup], unsorted: [NodeGroup]) {
        var result: (failed: [NodeGroup], unsorted: [NodeGroup]) = ([], [])
        for group in account.groups {
            guard let claimed = lanes[group.zone.zone] else { continue }
            do {
                guard let person = signer.keys(of: group.zone.keys.person) else { throw GroupError.noPerson }
                let sorted = try claimed.map { try group.zone.roster.remove(device: $0, since: since, by: person) }
                try group.commit()
                if sorted.contains(false) { result.unsorted.append(group) }
            } catch {
                group.rollback()
                result.failed.append(group)
            }
        }
        return result
    }
}

extension NodeGroup {
    /// How many of the account's devices take a place in the group, and how many can. A device that waits for a place
    /// does not see the group's ledger: it counts those that say so in the account.
    package var deviceFill: LedgerState.Fill {
        let fill = zone.membership.laneFill
        guard zone.lacking != nil else { return fill }
        let claims = (try? owner.zone.inGroups.lanes.all(in: zone.zone)) ?? []
        let others = claims.count { device, claim in
            claim.member == zone.member && device != owner.zone.lane
                && owner.zone.membership.laneStanding(of: device) == .active
        }
        return LedgerState.Fill(used: max(fill.used, others), most: fill.most)
    }

    /// Whether this device waits for a place in vain.
    package var hasNoPlace: Bool { zone.lacking != nil && deviceFill.used >= deviceFill.most }
}
