import Gossip
import LeaderboardShare
import Ledger
import NodeCore
import SyncState

/// The secret that is sent once both users have confirmed the same digits. No words of an account are among it.
///
///     secret = seq(1, endorser: b32, endorsement: b64, path: bstr, firstRoot: b32)   lets a device into an account
///            / seq(2, token: tstr)                                                   an invitation for one
enum PairedSecret {
    struct Account {
        /// The lane of the giving device.
        let endorser: LaneID
        /// Its signature for the lane of the taking one.
        let endorsement: [UInt8]
        /// The records that lead from the giving device back to the person.
        let path: [UInt8]
        let firstRoot: Secret
    }

    case account(Account)
    case group(GroupToken)

    package var encoded: [UInt8] {
        // An array that grew would leave copies of the secret behind.
        var writer = CBORWriter(capacity: Gossip.Limits.pairingSecretBytes)
        switch self {
        case .account(let account):
            writer.write(UInt64(1))
            writer.write(account.endorser)
            writer.write(bytes: account.endorsement)
            writer.write(bytes: account.path)
            account.firstRoot.withUnsafeBytes { writer.write(bytes: $0) }
        case .group(let token):
            writer.write(UInt64(2))
            writer.write(text: token.text)
        }
        return writer.bytes
    }

    init(decoding bytes: [UInt8]) throws(NodeError) {
        guard let read = try? Self.read(bytes) else {
            throw NodeError(.failed, "this device cannot read what the other one sent: update kachat-node on both")
        }
        self = read
    }

    private static func read(_ bytes: [UInt8]) throws -> PairedSecret? {
        var reader = CBORReader(bytes)
        let read: PairedSecret
        switch try reader.readUInt() {
        case 1:
            let endorser = try reader.read(LaneID.self)
            let endorsement = try reader.readBytes(max: Ed25519.signatureBytes)
            let path = try reader.readBytes(max: Gossip.Limits.pairingSecretBytes)
            let root = try reader.readBytes(max: Ledger.Limits.rootBytes)
            guard endorsement.count == Ed25519.signatureBytes, root.count == Ledger.Limits.rootBytes else {
                return nil
            }
            read = .account(
                Account(endorser: endorser, endorsement: endorsement, path: path, firstRoot: Secret(bytes: root)))
        case 2: read = .group(try GroupToken(text: try reader.readText(max: Gossip.Limits.pairingSecretBytes)))
        default: return nil
        }
        try reader.finish()
        return read
    }
}
