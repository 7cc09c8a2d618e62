import Chat
import Gossip
import Ledger
import NodeCore
import SyncState

/// This device while it asks another one to be let into an account.
struct AccountApplicant {
    private let genesis: LedgerRecord
    private let person: PersonID
    private let device: DeviceKeys

    /// - Throws: `failed` if `genesis` does not found an account.
    init(genesis bytes: [UInt8], deviceSecret: Secret) throws(NodeError) {
        guard let genesis = try? LedgerRecord(encoded: bytes), case .genesis(.account(let person, _)) = genesis.act
        else {
            throw NodeError(.failed, "this device cannot read what the other one sent: update kachat-node on both")
        }
        self.genesis = genesis
        self.person = person
        var random = SystemRandom()
        device = DeviceKeys(deviceSecret: deviceSecret, tag: random.identifier())
    }

    var zone: ZoneID { genesis.home }
    var lane: PairingLane { PairingLane(lane: device.lane, sealKey: device.sealing.publicKey) }

    /// The addition that follows from the other device's answer.
    ///
    /// - Throws: `failed` if the answer does not let this lane in.
    func addition(_ answer: PairedSecret.Account) throws(NodeError) -> AccountAddition {
        let message = Enter.endorsed(
            lane: device.lane, member: MemberID(person: person, firstLane: .zero), isReplica: false,
            sealKey: device.sealing.publicKey, succeeds: .zero, zone: zone)
        guard
            Ed25519.verify(
                signature: answer.endorsement, message: message, publicKey: answer.endorser.storage),
            let keys = AccountKeys(genesis: genesis, firstRoot: answer.firstRoot)
        else {
            throw NodeError(.failed, "the other device did not let this one in: pair again, with the right device")
        }
        return AccountAddition(
            keys,
            paired: PairedDevice(
                tag: device.tag, endorser: answer.endorser, endorsement: answer.endorsement, path: answer.path))
    }
}
