import Glibc
package import Node

/// Reads and writes `tokens.json` of a home.
package enum TokenFile {
    package static func load(from home: HomeFolder) throws(NodeError) -> TokenList {
        let path = home.tokensPath
        let bytes: [UInt8]
        do {
            bytes = try FileDescriptor(path: path, flags: O_RDONLY).readAll(limit: Limits.tokenFileBytes)
        } catch  where error.number == ENOENT {
            return TokenList()
        } catch {
            throw NodeError(.badSettings, "cannot read \(path): \(error.reason)")
        }
        guard let list = TokenList(json: bytes) else {
            throw NodeError(.badSettings, "\(path) is damaged: remove it, and give the apps new tokens")
        }
        return list
    }

    /// Writes it whole or not at all.
    package static func save(_ list: TokenList, to home: HomeFolder) throws(NodeError) {
        do {
            try Files.replace(home.tokensPath, with: list.encoded)
        } catch {
            throw home.notWritable(error)
        }
    }
}
