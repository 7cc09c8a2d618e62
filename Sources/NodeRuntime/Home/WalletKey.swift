import NodeCore

/// The old key of a wallet app as the user gives it: 32 bytes in hexadecimal.
enum WalletKey {
    static func key(of text: String) throws(NodeError) -> Secret {
        let digits = text.filter { !$0.isWhitespace }
        guard digits.utf8.count == 64, let bytes = Hex.decode(digits) else {
            throw NodeError(.badPhrase, "a wallet key has 32 bytes: 64 hexadecimal digits")
        }
        return Secret(bytes: bytes)
    }
}
