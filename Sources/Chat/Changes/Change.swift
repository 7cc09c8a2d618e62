package import NodeCore

/// Something that happened in a zone and that an app may want to read anew.
package enum Change: Hashable, Sendable {
    /// A message is here that was not; its conversation's unread count may have changed with it.
    case messageAdded(TxID, conversation: String)
    /// The body of a message arrived that was known without one.
    case messageResolved(TxID, conversation: String?)
    /// What the chain says of a message became known or changed.
    case messageConfirmed(TxID, conversation: String?)
    case messageReorged(TxID, conversation: String?)
    case messageDeleted(TxID, conversation: String?)
    /// A message is known to exist; its body is not here yet.
    case messageHinted(TxID, conversation: String?)
    /// So many messages came at once.
    case messages(conversation: String, count: Int)
    /// The read position of a conversation moved.
    case readState(String)
    /// The unread count of a conversation may have changed, by something else than messages that were added.
    case unread(String)
    /// Title, participants or flags of a conversation.
    case conversation(String)
    /// What a device says of itself, or whether it is retired.
    case device(LaneID)
    /// The account is in this group from now on.
    case groupJoined(ZoneID)
    /// Something else about a group: it was left, its keys or its title changed, somebody posted.
    case group(ZoneID)
    /// Some achievement of the account.
    case achievements
    /// The account's own state.
    case account
    /// The zone's state, in one word.
    case sync(String)
}

/// What a change is about. The numbers are stored and never given to another kind.
package enum ChangeKind: UInt8, Sendable, CaseIterable {
    case messageAdded = 1
    case messageResolved = 2
    case messageConfirmed = 3
    case messageReorged = 4
    case messageDeleted = 5
    case messageHinted = 6
    case readState = 7
    case unread = 8
    case conversation = 9
    case device = 10
    case account = 11
    case sync = 12
    case groupJoined = 13
    case group = 14
    case achievements = 15

    package var isAboutMessages: Bool { rawValue <= ChangeKind.messageHinted.rawValue }

    /// Tells of messages, conversations or devices, and not of groups or of the account as a whole.
    package var isAboutChats: Bool { rawValue <= ChangeKind.device.rawValue }

    /// As scripts and apps see it.
    package var word: String {
        switch self {
        case .messageAdded: "message-added"
        case .messageResolved: "message-resolved"
        case .messageConfirmed: "message-confirmed"
        case .messageReorged: "message-reorged"
        case .messageDeleted: "message-deleted"
        case .messageHinted: "message-hinted"
        case .readState: "read-state"
        case .unread: "unread"
        case .conversation: "conversation"
        case .device: "device"
        case .account: "account"
        case .sync: "sync"
        case .groupJoined: "group.joined"
        case .group: "group"
        case .achievements: "achievements"
        }
    }
}

/// One entry of the feed, as a reader is given it. It never changes afterwards.
package struct ChangeEntry: Equatable, Sendable {
    /// From 1, without a gap, in the order of the commits.
    package let number: UInt64
    package let at: WallTime
    package let token: ChangeToken
    package let group: ChangeGroup
}

/// Where a reader of a change feed stands: behind an entry. Opaque to apps.
///
/// Written as 36 hexadecimal digits: eight bytes of the feed's id, six of the entry's number, four that tell this entry
/// from another one that came to have its number, in a store that was put back and went on differently.
package struct ChangeToken: Hashable, Sendable {
    let feed: UInt64
    let number: UInt64
    let mark: UInt32

    init(feed: UInt64, number: UInt64, mark: UInt32) {
        self.feed = feed
        self.number = number
        self.mark = mark
    }

    package init?(text: String) {
        guard let bytes = Hex.decode(text), bytes.count == 18 else { return nil }
        var reader = ByteReader(bytes)
        guard let feed = try? reader.readU64(), let high = try? reader.readU16(), let low = try? reader.readU32(),
            let mark = try? reader.readU32()
        else { return nil }
        self.init(feed: feed, number: UInt64(high) << 32 | UInt64(low), mark: mark)
    }

    package var text: String {
        var writer = ByteWriter(capacity: 18)
        writer.write(u64: feed)
        writer.write(u16: UInt16(truncatingIfNeeded: number >> 32))
        writer.write(u32: UInt32(truncatingIfNeeded: number))
        writer.write(u32: mark)
        return Hex.encode(writer.bytes)
    }
}

/// Why a feed does not go on from a token.
package enum ChangeError: Error, Equatable {
    /// It is of another store: of another account, of one that was wiped, or of a state that was put back.
    case foreignToken
    /// What came after it is not kept any more.
    case expiredToken
}
