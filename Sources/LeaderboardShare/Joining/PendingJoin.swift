package import Ledger
package import NodeCore

/// A join that waits for a member, as stored across restarts: `[2, token, person, tag, since]`.
package struct PendingJoin: Sendable {
    package let token: GroupToken
    /// The person with which the account joins.
    package let person: PersonID
    /// The tag of the lane that enters.
    package let tag: Bytes16
    package let since: WallTime

    private static let formatVersion: UInt64 = 2

    package init(token: GroupToken, person: PersonID, tag: Bytes16, since: WallTime) {
        (self.token, self.person, self.tag, self.since) = (token, person, tag, since)
    }

    /// A secret, because the token is one.
    package var encoded: [UInt8] {
        CBORWriter.array(capacity: 256, Self.formatVersion, token.encoded, person, tag, since)
    }

    package init(encoded: [UInt8]) throws {
        var reader = try CBORReader(encoded, array: 5)
        guard try reader.readUInt() == Self.formatVersion else { throw TokenError.notValid }
        token = try GroupToken(encoded: try reader.readBytes(max: Limits.tokenInputBytes))
        person = try reader.read(PersonID.self)
        tag = try reader.read(Bytes16.self)
        since = try reader.readTime()
        try reader.finish()
    }
}
