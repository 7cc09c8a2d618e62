package import Ledger
package import NodeCore
package import SyncState

/// The ledger of an account: each lane is a device's, all belong to one person, and any of them makes new roots.
extension ZoneMembership {
    // MARK: This device

    /// How many of 32 endorsements lie between this device and the person.
    package var wayFill: LedgerState.Fill? { state.wayFill(of: own) }

    /// Enters this device's lane, if it has not entered yet.
    func enterIfNew(by entrance: AccountEntrance?) throws {
        guard let entrance, ownStanding == .unknown else { return }
        switch entrance {
        case .words(let signer): try enterAgain(by: signer)
        case .paired(let device):
            _ = try standing(of: device.endorser, shown: device.path)
            try enter(store.device, by: .lane(device.endorser, device.endorsement))
        }
    }

    /// Lets this device in by the person, whoever let it in before.
    package func enterAgain(by signer: AccountSigner) throws {
        let device = store.device
        let message = endorsed(device.lane, sealKey: device.sealing.publicKey)
        try enter(device, by: .person(signer.identity.sign(message)))
    }

    // MARK: Roots

    /// The number of the newest root: how often the account's roots were replaced.
    package var epoch: UInt64 { state.rotates[root.rotate] ?? 0 }

    /// Replaces the root. Devices that have none newer follow when they read the ledger.
    ///
    /// - Throws: `AccountError.notAmongDevices`.
    package func rotate() throws {
        guard try makeRoot() else { throw AccountError.notAmongDevices }
    }

    /// Since when a new root is due, because a removed device has the one that is used here; nil if none is due. The
    /// time is unknown for what came before this device had a clock.
    package var rotationDue: (since: WallTime?, removals: Int)? {
        guard state.isRotationDue(held: ring.held), ownStanding == .active else { return nil }
        let open = Set(state.covers).subtracting(state.covered(by: root.rotate))
        return (open.compactMap { try? records.arrived($0) }.min(), open.count)
    }

    // MARK: Devices

    package func laneStanding(of lane: LaneID) -> LedgerState.LaneStanding { state.standing(of: key(of: lane)) }

    /// The person or lane that let a lane in; nil for a lane that leads back to nobody, or was removed.
    package func endorser(of lane: LaneID) -> LedgerState.Endorser? { state.endorser(of: key(of: lane)) }

    /// When this device learned that a lane came in; nil for one that leads back to nobody.
    package func enteredAt(_ lane: LaneID) -> WallTime? {
        state.entrance(of: key(of: lane)).flatMap { try? records.arrived($0) }
    }

    /// How a lane came in and when this device learned of it, also of one that does not belong to the account any more.
    package func wayIn(of lane: LaneID) -> (by: LedgerState.Endorser, at: WallTime?)? {
        state.wayIn(of: key(of: lane)).map { ($0.by, try? records.arrived($0.enter)) }
    }

    /// When this device learned that a lane was removed; nil for one that was not, and where that is unknown.
    package func removedAt(_ lane: LaneID) -> WallTime? {
        guard laneStanding(of: lane) == .removed else { return nil }
        return state.removals.filter { $0.value.contains(lane) }.keys.compactMap { try? records.arrived($0) }.min()
    }
}
