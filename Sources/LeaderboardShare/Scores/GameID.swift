package import NodeCore

/// A game, identified by the UUID that all groups and devices use for it.
package struct GameID: Identifier16 {
    package let storage: Bytes16

    package init(_ storage: Bytes16) { self.storage = storage }

    /// The default id for a name: if two admins enter a game by its name, they enter the same game. A UUID of version 8
    /// (RFC 9562, §5.8) of the name in lower case.
    package init(name: String) {
        var bytes = Blake2b.hash16(Array(name.lowercased().utf8), domain: "kachat game id").bytes
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        // invariant: the hash has sixteen bytes.
        self.init(Bytes16(bytes: bytes) ?? .zero)
    }
}
