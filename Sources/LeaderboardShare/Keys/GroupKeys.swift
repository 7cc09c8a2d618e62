package import Ledger
package import NodeCore

/// The keys of a group that each device of a member holds for ever: the group's first record and first root, and the
/// member that it is. Later roots come by the ledger.
package struct GroupKeys: Sendable {
    /// The first record of the group's ledger.
    package let genesis: LedgerRecord
    package let firstRoot: ZoneRoot
    /// The person that the member is, and the lane with which that person first came.
    package let person: PersonID
    package let firstLane: LaneID
    package let member: MemberID
    /// Names slots; the same under all roots, so that a rotation does not move them.
    let slotKey: Secret
    /// Seals the group's name, which everybody who ever had a root can read.
    let titleKey: Secret

    /// Nil unless `genesis` begins a group and commits to this root.
    package init?(genesis: LedgerRecord, root: Secret, person: PersonID, firstLane: LaneID) {
        guard case .genesis(.group(let group)) = genesis.act, group.root == ZoneRoot.commitment(to: root) else {
            return nil
        }
        self.genesis = genesis
        self.person = person
        self.firstLane = firstLane
        member = MemberID(person: person, firstLane: firstLane)
        firstRoot = ZoneRoot(rotate: genesis.hash, secret: root)
        slotKey = HKDF.derive(firstRoot.reading, "group/slot")
        titleKey = HKDF.derive(firstRoot.reading, "group/title")
    }

    /// The hash of genesis.
    package var zone: ZoneID { genesis.home }

    /// Members that doors let in.
    var memberLimit: Int {
        guard case .genesis(.group(let group)) = genesis.act else { return 0 }
        return Int(group.memberLimit)
    }
}

/// The group's name and description, as a Title seals them: `[title, description]`.
package struct GroupTitle: Hashable, Sendable {
    package let title: String
    package let description: String

    package init(title: String, description: String = "") {
        (self.title, self.description) = (title, description)
    }

    /// True if title and description can be shown. Descriptions may have line breaks, but no other control characters.
    package var isAcceptable: Bool {
        Self.isAcceptable(title: title)
            && description.utf8.count <= Limits.descriptionBytes
            && description.count <= Limits.descriptionCharacters
            && !description.unicodeScalars.contains { $0.isControl && $0 != "\n" }
    }

    /// True for titles and names of 1 to 80 characters without control characters.
    package static func isAcceptable(title: String) -> Bool {
        !title.isEmpty && title.utf8.count <= Limits.titleBytes && title.count <= Limits.titleCharacters
            && !title.unicodeScalars.contains(where: \.isControl)
    }

    /// True if this may also be written: others may have written a title of blanks alone.
    var isWritable: Bool { isAcceptable && Self.isWritable(title: title) }

    /// True for an acceptable title or name that shows something.
    package static func isWritable(title: String) -> Bool {
        isAcceptable(title: title) && !title.allSatisfy(\.isWhitespace)
    }

    package var encoded: [UInt8] {
        CBORWriter.array(capacity: 128, title, description)
    }

    /// Nil for what cannot be shown.
    package init?(encoded: [UInt8]) {
        guard var reader = try? CBORReader(encoded, array: 2), let title = try? reader.readText(max: Limits.titleBytes),
            let description = try? reader.readText(max: Limits.descriptionBytes), (try? reader.finish()) != nil
        else { return nil }
        self.init(title: title, description: description)
        guard isAcceptable else { return nil }
    }

    func sealed(_ keys: GroupKeys, random: inout any RandomSource) -> [UInt8] {
        XChaChaPoly.seal(encoded, associatedData: keys.zone.bytes, key: keys.titleKey, random: &random)
    }

    /// Nil for what cannot be opened, or not be shown.
    init?(sealed: [UInt8], _ keys: GroupKeys) {
        guard let plain = try? XChaChaPoly.open(sealed, associatedData: keys.zone.bytes, key: keys.titleKey) else {
            return nil
        }
        self.init(encoded: plain)
    }
}
