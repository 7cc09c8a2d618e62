import Ledger
package import NodeCore

/// A capability to join a group: one or more tickets of an invitation, in the form in which they are passed on.
///
/// It names the group, whose id commits to its founder and first root, and the invitation; it has the secrets of the
/// tickets, the start of the title, and how to meet: a secret of the group's door, and possibly addresses. It
/// carries no key to any content, and what it gives stands in the invitation, which members hold.
package struct GroupToken: Sendable {
    package static let formatVersion: UInt8 = 2
    package static let doorBytes = 16

    package let group: ZoneID
    /// The record of the invitation.
    package let invite: RecordHash
    /// Tickets of the whole invitation, 1 to 64.
    package let people: Int
    /// 16 bytes from which the joiner's pre-shared key and tags are derived; all members recognise them.
    package let door: [UInt8]
    /// The beginning of the group's title, at most 24 bytes; the joiner learns the full title later.
    package let title: String
    /// Above the tickets: one to three.
    package let nodes: [TicketNode]
    /// Addresses where a member may be reached if no beacon is heard.
    package let hints: [SocketAddress]

    init(
        group: ZoneID, invite: RecordHash, people: Int, door: [UInt8], title: String, nodes: [TicketNode],
        hints: [SocketAddress]
    ) {
        self.group = group
        self.invite = invite
        self.people = people
        self.door = door
        self.title = title
        self.nodes = nodes
        self.hints = hints
    }

    /// A token for a whole invitation. Addresses that do not fit are left out.
    ///
    /// - Parameter secret: `TicketNode.init(covering:random:)` for as many people.
    package init(
        group: ZoneID, invite: RecordHash, people: Int, door: [UInt8], title: String, secret: TicketNode,
        hints: [SocketAddress] = []
    ) {
        let bare = GroupToken(
            group: group, invite: invite, people: people, door: door, title: Self.cut(title), nodes: [secret],
            hints: [])
        self = bare.with(nodes: [secret], hints: hints)
    }

    private func with(nodes: [TicketNode], hints: [SocketAddress]) -> GroupToken {
        var kept: [SocketAddress] = []
        for hint in hints
        where kept.reduce(hint.hintBytes.count + 1, { $0 + $1.hintBytes.count + 1 })
            <= Limits.tokenHintBytes
        {
            let longer = GroupToken(
                group: group, invite: invite, people: people, door: door, title: title, nodes: nodes,
                hints: kept + [hint])
            if longer.encoded.count <= Limits.tokenBytes { kept.append(hint) }
        }
        return GroupToken(
            group: group, invite: invite, people: people, door: door, title: title, nodes: nodes, hints: kept)
    }

    /// The tickets that it has, ascending.
    package var tickets: [Int] { nodes.flatMap(\.leaves).filter { $0 < people }.sorted() }

    /// The key of one of `tickets`.
    package func key(of ticket: Int) -> Ed25519.KeyPair? {
        nodes.first { $0.leaves.contains(ticket) }?.key(of: ticket)
    }

    /// Cuts tickets off, without anybody's help: one token for so many people, and one for the rest.
    ///
    /// - Throws: `TokenError.noSuchSplit` for fewer than one person or all, or if what is left of earlier cuts cannot
    ///   be named by three nodes.
    package func split(people count: Int) throws(TokenError) -> (cut: GroupToken, rest: GroupToken) {
        let tickets = tickets
        guard (1..<max(1, tickets.count)).contains(count) else { throw .noSuchSplit(of: tickets.count) }
        var best: (cut: [TicketNode], rest: [TicketNode])?
        for start in 0...(tickets.count - count) {
            let wanted = Set(tickets[start..<start + count])
            let others = Set(tickets).subtracting(wanted)
            let cut = nodes.flatMap { $0.cover(wanted, without: others) }
            let rest = nodes.flatMap { $0.cover(others, without: wanted) }
            guard max(cut.count, rest.count) <= Limits.tokenNodes else { continue }
            if let best, best.cut.count + best.rest.count <= cut.count + rest.count { continue }
            best = (cut, rest)
        }
        guard let best else { throw .noSuchSplit(of: tickets.count) }
        return (with(nodes: best.cut, hints: hints), with(nodes: best.rest, hints: hints))
    }

    /// The longest prefix of whole characters that fits 24 bytes.
    package static func cut(_ title: String) -> String {
        var cut = ""
        for character in title {
            guard cut.utf8.count + character.utf8.count <= Limits.tokenTitleBytes else { break }
            cut.append(character)
        }
        return cut
    }
}

/// The bytes of a token: version, group, invitation, its number of tickets, door, length and title, the number of nodes
/// and each with its secret, the hints (length and bytes each), and the first three bytes of the hash of all that.
extension GroupToken {
    private static let checksumBytes = 3

    /// The text form, also for a QR code. Upper case reads the same, and makes a smaller QR code.
    package var text: String { TokenText.encode(encoded) }

    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.write(u8: Self.formatVersion)
        writer.write(group)
        writer.write(invite)
        writer.write(u8: UInt8(people))
        writer.write(door)
        writer.write(u8: UInt8(title.utf8.count))
        writer.write(Array(title.utf8))
        writer.write(u8: UInt8(nodes.count))
        for node in nodes {
            writer.write(u8: node.number)
            node.secret.withUnsafeBytes { writer.write($0) }
        }
        for hint in hints {
            writer.write(u8: UInt8(hint.hintBytes.count))
            writer.write(hint.hintBytes)
        }
        return writer.bytes + Self.checksum(writer.bytes)
    }

    /// Reads a token. Ignores case, spaces, line breaks and missing hyphens.
    package init(text: String) throws(TokenError) {
        try self.init(encoded: TokenText.decode(text))
    }

    init(encoded: [UInt8]) throws(TokenError) {
        guard encoded.count > Self.checksumBytes else { throw .incomplete }
        let content = Array(encoded.dropLast(Self.checksumBytes))
        guard Self.checksum(content) == Array(encoded.suffix(Self.checksumBytes)) else { throw .incomplete }
        guard content[0] == Self.formatVersion else { throw .otherVersion(content[0]) }
        do {
            var reader = ByteReader(content)
            _ = try reader.readU8()
            let group = try reader.read(ZoneID.self)
            let invite = try reader.read(RecordHash.self)
            let people = Int(try reader.readU8())
            guard (1...Ledger.Limits.tickets).contains(people) else { throw TokenError.notValid }
            let door = try reader.readBytes(Self.doorBytes)
            let title = try Self.readTitle(&reader)
            let nodes = try Self.readNodes(&reader)
            self.init(
                group: group, invite: invite, people: people, door: door, title: title, nodes: nodes,
                hints: try Self.readHints(&reader))
        } catch {
            throw .notValid
        }
        guard !tickets.isEmpty, Set(tickets).count == tickets.count else { throw .notValid }
    }

    private static func readTitle(_ reader: inout ByteReader) throws -> String {
        let count = Int(try reader.readU8())
        guard count <= Limits.tokenTitleBytes,
            let title = String(validating: try reader.readBytes(count), as: UTF8.self),
            !title.unicodeScalars.contains(where: \.isControl)
        else { throw TokenError.notValid }
        return title
    }

    private static func readNodes(_ reader: inout ByteReader) throws -> [TicketNode] {
        let count = Int(try reader.readU8())
        guard (1...Limits.tokenNodes).contains(count) else { throw TokenError.notValid }
        return try (0..<count).map { _ in
            let number = try reader.readU8()
            guard (1...127).contains(number) else { throw TokenError.notValid }
            return TicketNode(number: number, secret: Secret(bytes: try reader.readBytes(TicketNode.secretBytes)))
        }
    }

    private static func readHints(_ reader: inout ByteReader) throws -> [SocketAddress] {
        var hints: [SocketAddress] = []
        guard reader.remaining <= Limits.tokenHintBytes else { throw TokenError.notValid }
        while reader.remaining > 0 {
            let bytes = try reader.readBytes(Int(try reader.readU8()))
            guard let hint = SocketAddress(hintBytes: bytes) else { throw TokenError.notValid }
            hints.append(hint)
        }
        return hints
    }

    private static func checksum(_ bytes: [UInt8]) -> [UInt8] {
        Array(Blake2b.hash16(bytes, domain: "kachat token sum").bytes.prefix(checksumBytes))
    }
}

extension SocketAddress {
    /// Host and port in a token: 6 bytes for IPv4, 18 for IPv6, without a scope, which is meaningless elsewhere.
    var hintBytes: [UInt8] { hostBytes + [UInt8(port >> 8), UInt8(port & 255)] }

    init?(hintBytes bytes: [UInt8]) {
        guard bytes.count > 2 else { return nil }
        let port = UInt16(bytes[bytes.count - 2]) << 8 | UInt16(bytes[bytes.count - 1])
        self.init(hostBytes: Array(bytes.dropLast(2)), port: port)
    }
}
