import Chat
import Gossip
import LeaderboardShare
import NodeCore
import SyncState

/// The secret that is sent once both users have confirmed the same digits.
///
///     secret = seq(1, entropy: b16 / b32)      an account with a phrase
///            / seq(2, root: b32)               one from a wallet's key
///            / seq(3, token: tstr)             an invitation for one
enum PairedSecret {
    case account(AccountSecret)
    case group(GroupToken)

    package var encoded: [UInt8] {
        var writer = CBORWriter()
        switch self {
        case .account(let secret):
            switch secret {
            case .phrase(let entropy):
                writer.write(UInt64(1))
                entropy.withUnsafeBytes { writer.write(bytes: $0) }
            case .root(let root):
                writer.write(UInt64(2))
                root.withUnsafeBytes { writer.write(bytes: $0) }
            }
        case .group(let token):
            writer.write(UInt64(3))
            writer.write(text: token.text)
        }
        return writer.bytes
    }

    init(decoding bytes: [UInt8]) throws(NodeError) {
        guard let read = try? Self.read(bytes) else {
            throw NodeError(.failed, "this device cannot read what the other one sent: update kachat-node")
        }
        self = read
    }

    private static func read(_ bytes: [UInt8]) throws -> PairedSecret? {
        var reader = CBORReader(bytes)
        let kind = try reader.readUInt()
        let read: PairedSecret
        switch kind {
        case 1, 2:
            let secret = try reader.readBytes(max: 32)
            guard secret.count == 32 || kind == 1 && secret.count == 16 else { return nil }
            let kept = Secret(bytes: secret)
            read = .account(kind == 1 ? .phrase(entropy: kept) : .root(kept))
        case 3: read = .group(try GroupToken(text: try reader.readText(max: Gossip.Limits.pairingSecretBytes)))
        default: return nil
        }
        try reader.finish()
        return read
    }
}
