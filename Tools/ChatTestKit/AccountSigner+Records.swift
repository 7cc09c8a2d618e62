package import Chat
package import Ledger
package import NodeCore
package import SyncState

/// The records that an account's person signs.
extension AccountSigner {
    /// Lets a device in.
    package func enter(_ device: DeviceKeys) -> LedgerRecord {
        let sealKey = device.sealing.publicKey
        let message = Enter.endorsed(
            lane: device.lane, member: MemberID(person: keys.identity, firstLane: .zero), isReplica: false,
            sealKey: sealKey, succeeds: .zero, zone: keys.zone)
        let act = LedgerAct.enter(
            Enter(
                person: keys.identity, firstLane: .zero, sealKey: sealKey, entrance: .person(identity.sign(message))))
        return LedgerRecord(
            zone: keys.zone, signer: device.signing.publicKey, prev: .zero, act: act, sign: device.signing.sign)
    }

    /// Removes lanes.
    ///
    /// - Parameters:
    ///   - heads: the ends of what stays of their control records.
    ///   - stays: the lists of the rows that stay.
    package func remove(_ lanes: [LaneID], heads: [RecordHash], stays: [BlobHash] = []) -> LedgerRecord {
        record(of: Remove(lanes: lanes, heads: heads, stays: stays))
    }
}
