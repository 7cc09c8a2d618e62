package import Chat
import NodeCore

/// A wallet app's old key as typed by the user: 32 bytes in hexadecimal.
package enum WalletKey {
    /// The person's keys for a wallet's key.
    package static func signer(of text: String) throws(NodeError) -> AccountSigner {
        AccountSigner(walletKey: try key(of: text))
    }

    static func key(of text: String) throws(NodeError) -> Secret {
        let digits = text.filter { !$0.isWhitespace }
        guard digits.utf8.count == 64, let bytes = Hex.decode(digits) else {
            throw NodeError(.badPhrase, "a wallet key has 32 bytes: 64 hexadecimal digits")
        }
        guard bytes.contains(where: { $0 != 0 }), bytes.lexicographicallyPrecedes(order) else {
            throw NodeError(
                .badPhrase,
                "these 32 bytes are not a wallet key, which is a number from 1 up to the order of secp256k1: copy the "
                    + "key from the wallet again")
        }
        return Secret(bytes: bytes)
    }

    /// The order of the group of secp256k1 (SEC 2, version 2, §2.4.1).
    private static let order: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE,
        0xBA, 0xAE, 0xDC, 0xE6, 0xAF, 0x48, 0xA0, 0x3B, 0xBF, 0xD2, 0x5E, 0x8C, 0xD0, 0x36, 0x41, 0x41,
    ]
}
