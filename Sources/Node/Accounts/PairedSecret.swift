import Gossip
import LeaderboardShare
import Ledger
import NodeCore
import SyncState

/// The secret that is sent once both users have confirmed the same digits. No words of an account are among it.
///
///     secret = seq(1, endorser: b32, endorsement: b64, firstRoot: b32)   lets a device into an account
///            / seq(2, token: tstr)                                       an invitation for one
enum PairedSecret {
    /// The lane of the giving device, its signature for the lane of the taking one, and the account's first root.
    case account(endorser: LaneID, endorsement: [UInt8], firstRoot: Secret)
    case group(GroupToken)

    package var encoded: [UInt8] {
        // An array that grew would leave copies of the secret behind.
        var writer = CBORWriter(capacity: Gossip.Limits.pairingSecretBytes)
        switch self {
        case .account(let endorser, let endorsement, let firstRoot):
            writer.write(UInt64(1))
            writer.write(endorser)
            writer.write(bytes: endorsement)
            firstRoot.withUnsafeBytes { writer.write(bytes: $0) }
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
            let root = try reader.readBytes(max: Ledger.Limits.rootBytes)
            guard endorsement.count == Ed25519.signatureBytes, root.count == Ledger.Limits.rootBytes else {
                return nil
            }
            read = .account(endorser: endorser, endorsement: endorsement, firstRoot: Secret(bytes: root))
        case 2: read = .group(try GroupToken(text: try reader.readText(max: Gossip.Limits.pairingSecretBytes)))
        default: return nil
        }
        try reader.finish()
        return read
    }
}
