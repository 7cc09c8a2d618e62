package import NodeCore

/// The kinds of changes in a zone after which an app may want to read data again. The numbers are stored and never
/// reused.
package enum ChangeKind: UInt8, Sendable, CaseIterable {
    /// A new message, or several; their conversation's unread count may have changed too.
    case messageAdded = 1
    /// The body of a message arrived that was known without one, or with another one.
    case messageResolved = 2
    /// The chain facts of a message became known or changed.
    case messageConfirmed = 3
    case messageReorged = 4
    case messageDeleted = 5
    /// A message is known to exist; its body is not here yet.
    case messageHinted = 6
    /// The read position of a conversation moved.
    case readState = 7
    /// The unread count of a conversation may have changed, other than by new messages.
    case unread = 8
    /// Title, participants or flags of a conversation changed, or a message moved between it and another one.
    case conversation = 9
    /// A device's description, or whether it is gone.
    case device = 10
    /// The account's own state changed.
    case account = 11
    /// The zone's state, in one word.
    case sync = 12
    /// The account has joined this group.
    case groupJoined = 13
    /// Another change of a group: it was left, its keys or title changed, or somebody posted.
    case group = 14
    /// An achievement of the account changed.
    case achievements = 15

    package var isAboutMessages: Bool { rawValue <= ChangeKind.messageHinted.rawValue }

    /// Concerns messages, conversations or devices, and not groups or the account as a whole.
    package var isAboutChats: Bool { rawValue <= ChangeKind.device.rawValue }

    /// The name in the API.
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

/// One entry of the feed, as given to a reader. It never changes afterwards.
package struct ChangeEntry: Equatable, Sendable {
    /// From 1, without gaps, in order of commits.
    package let number: UInt64
    package let at: WallTime
    package let token: ChangeToken
    package let group: ChangeGroup
}

/// A reader's position in a change feed: after an entry. Opaque to apps.
///
/// Written as 36 hexadecimal digits: eight bytes of the feed's id, six of the entry's number, and four that distinguish
/// this entry from another one with the same number, in a store that was restored and continued differently.
package struct ChangeToken: Hashable, Sendable {
    let feed: UInt64
    let number: UInt64
    let mark: UInt32

    init(feed: UInt64, number: UInt64, mark: UInt32) {
        (self.feed, self.number, self.mark) = (feed, number, mark)
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

/// Why a feed cannot continue from a token.
package enum ChangeError: Error, Equatable {
    /// It belongs to another store: another account, one that was wiped, or a state before a restore.
    case foreignToken
    /// Later entries are no longer all kept.
    case expiredToken
}
