package import NodeCore

/// The content of a control record. The raw kinds are `LedgerKind`'s. Indirect, because records are copied often.
package indirect enum LedgerAct: Hashable, Sendable {
    case genesis(Genesis)
    case enter(Enter)
    case remove(Remove)
    case rotate(Rotate)
    case seal(Seal)
    case leave
    /// Ends a replica, which has this lane.
    case end(LaneID)
    case invite(Invite)
    case revoke(Revoke)
    case word(Word)
    case title(Title)
    case suspend(MemberID)
    /// Lifts the suspension with this hash.
    case unsuspend(RecordHash)
    case offer(Offer)
    case close(Close)
    /// The Seals with these hashes do not open to the lane that signs this.
    case unopened([RecordHash])
    /// A kind of a later version: kept, passed on, and without meaning here.
    case later(kind: UInt64, fields: [UInt8])
}

/// The numbers of the kinds on the wire.
package enum LedgerKind: UInt64, CaseIterable, Sendable {
    case genesis = 0
    case enter, remove, rotate, seal, leave, end
    case invite, revoke, word, title, suspend, unsuspend, offer, close
    case unopened
}

/// The first record of a zone; its hash is the zone.
package enum Genesis: Hashable, Sendable {
    /// An account has no free field, so that the same words found the same account on devices that never met. `sealKey`
    /// is the X25519 key to which each root is sealed for a restore by the words.
    case account(identity: PersonID, sealKey: Bytes32)
    case group(GroupGenesis)
}

/// The beginning of a group, signed by the founder's first lane.
package struct GroupGenesis: Hashable, Sendable {
    package let person: PersonID
    package let firstLane: LaneID
    /// Members that doors let in; no part of the state.
    package let memberLimit: UInt32
    package let root: RootCommitment

    package init(person: PersonID, firstLane: LaneID, memberLimit: UInt32, root: RootCommitment) {
        (self.person, self.firstLane, self.memberLimit, self.root) = (person, firstLane, memberLimit, root)
    }
}

/// Commits to both halves of a root, so that a replica can check the half that it is given.
package struct RootCommitment: Hashable, Sendable {
    package let replication: Bytes32
    package let reading: Bytes32

    package init(replication: Bytes32, reading: Bytes32) {
        (self.replication, self.reading) = (replication, reading)
    }
}

/// A person's removal of one device, for ever: of its lane, and of those before and after it by fresh starts. They are
/// named one by one, because a device could hide how they hang together.
package struct Remove: Hashable, Sendable {
    /// Names the member, together with the signer (the person). Zero in an account.
    package let firstLane: LaneID
    /// At least one.
    package let lanes: [LaneID]
    /// The heads of their records that stay: each stays with all records on its way to the Enter.
    package let heads: [RecordHash]
    /// Blobs with the 16-byte hashes of the rows that stay, in an account.
    package let stays: [BlobHash]
    /// The Enters of lanes that stay although one of these endorsed them.
    package let children: [RecordHash]

    package init(
        firstLane: LaneID = .zero, lanes: [LaneID], heads: [RecordHash], stays: [BlobHash] = [],
        children: [RecordHash] = []
    ) {
        self.firstLane = firstLane
        self.lanes = lanes.sorted()
        self.heads = heads.sorted()
        self.stays = stays.sorted()
        self.children = children.sorted()
    }

    /// Something that stays.
    package enum Name: Hashable, Sendable {
        case head(RecordHash)
        case stay(BlobHash)
        case child(RecordHash)
    }

    /// Removes of these lanes that together name all of this: names that do not fit into one record are split over
    /// several, which count together.
    package static func several(firstLane: LaneID = .zero, of line: [LaneKey], naming names: [Name]) -> [Remove] {
        stride(from: 0, to: line.count, by: Limits.removedLanes).flatMap { first in
            let lanes = line[first...].prefix(Limits.removedLanes).map(\.lane)
            return stride(from: 0, to: max(1, names.count), by: Limits.removeNames).map { start in
                Remove(firstLane: firstLane, lanes: lanes, naming: names.dropFirst(start).prefix(Limits.removeNames))
            }
        }
    }

    private init(firstLane: LaneID, lanes: [LaneID], naming names: some Sequence<Name>) {
        var (heads, stays, children): ([RecordHash], [BlobHash], [RecordHash]) = ([], [], [])
        for name in names {
            switch name {
            case .head(let head): heads.append(head)
            case .stay(let list): stays.append(list)
            case .child(let enter): children.append(enter)
            }
        }
        self.init(firstLane: firstLane, lanes: lanes, heads: heads, stays: stays, children: children)
    }
}

/// A new root.
package struct Rotate: Hashable, Sendable {
    /// One more than the highest number of its tips.
    package let number: UInt64
    package let root: RootCommitment
    /// The Removes, Ends and dismissing Words whose lanes must not learn it, by hash.
    package let covers: [RecordHash]
    /// The Rotates (or genesis) that it builds on, each with its root sealed under the new one.
    package let tips: [Tip]

    package struct Tip: Hashable, Sendable {
        package let rotate: RecordHash
        package let sealedRoot: [UInt8]

        package init(rotate: RecordHash, sealedRoot: [UInt8]) {
            (self.rotate, self.sealedRoot) = (rotate, sealedRoot)
        }
    }

    package init(number: UInt64, root: RootCommitment, covers: [RecordHash], tips: [Tip]) {
        self.number = number
        self.root = root
        self.covers = covers.sorted()
        self.tips = tips.sorted { $0.rotate < $1.rotate }
    }
}

/// A root, sealed to lanes and to the identity.
package struct Seal: Hashable, Sendable {
    package let rotate: RecordHash
    /// The X25519 key with which all entries were agreed.
    package let ephemeral: Bytes32
    package let entries: [Entry]

    package struct Entry: Hashable, Sendable {
        /// A lane, or the identity.
        package let recipient: Bytes32
        package let sealed: [UInt8]

        package init(recipient: Bytes32, sealed: [UInt8]) {
            (self.recipient, self.sealed) = (recipient, sealed)
        }
    }

    package init(rotate: RecordHash, ephemeral: Bytes32, entries: [Entry]) {
        self.rotate = rotate
        self.ephemeral = ephemeral
        self.entries = entries.sorted { $0.recipient < $1.recipient }
    }
}

/// Up to 64 tickets for one role.
package struct Invite: Hashable, Sendable {
    package let role: Role
    /// Judged by the device that opens the door, not by the state.
    package let expires: WallTime
    /// The tickets' Ed25519 keys.
    package let keys: [Bytes32]

    package init(role: Role, expires: WallTime, keys: [Bytes32]) {
        (self.role, self.expires, self.keys) = (role, expires, keys)
    }
}

/// Closes an invitation, except for the members named, each by its ticket.
package struct Revoke: Hashable, Sendable {
    package let invite: RecordHash
    package let stays: [Stay]

    package struct Stay: Hashable, Sendable {
        package let index: UInt8
        package let member: MemberID

        package init(index: UInt8, member: MemberID) {
            (self.index, self.member) = (index, member)
        }
    }

    package init(invite: RecordHash, stays: [Stay]) {
        self.invite = invite
        self.stays = stays.sorted { ($0.index, $0.member) < ($1.index, $1.member) }
    }
}

/// The owner's word on a member: confirms it, changes its role, or dismisses it for ever.
package struct Word: Hashable, Sendable {
    package let member: MemberID
    package let role: Role
    package let revision: UInt64
    /// The ticket that the member used, with the member that invited; nil if none is recorded.
    package let ticket: UsedTicket?
    /// The role up to which what it wrote stays, behind `heads`.
    package let keep: Role
    package let heads: [RecordHash]

    package struct UsedTicket: Hashable, Sendable {
        package let issuer: MemberID
        package let ticket: TicketID

        package init(issuer: MemberID, ticket: TicketID) { (self.issuer, self.ticket) = (issuer, ticket) }
    }

    package init(
        member: MemberID, role: Role, revision: UInt64, ticket: UsedTicket? = nil, keep: Role, heads: [RecordHash] = []
    ) {
        self.member = member
        self.role = role
        self.revision = revision
        self.ticket = ticket
        self.keep = keep
        self.heads = heads.sorted()
    }
}

/// The group's name, sealed under a key of the first root.
package struct Title: Hashable, Sendable {
    package let revision: UInt64
    package let sealed: [UInt8]

    package init(revision: UInt64, sealed: [UInt8]) {
        (self.revision, self.sealed) = (revision, sealed)
    }
}

/// A ticket of another group for each of some members, sealed to a lane of theirs.
package struct Offer: Hashable, Sendable {
    package let group: ZoneID
    package let tickets: [Ticket]

    package struct Ticket: Hashable, Sendable {
        package let member: MemberID
        package let lane: LaneID
        package let sealed: [UInt8]

        package init(member: MemberID, lane: LaneID, sealed: [UInt8]) {
            (self.member, self.lane, self.sealed) = (member, lane, sealed)
        }
    }

    package init(group: ZoneID, tickets: [Ticket]) {
        (self.group, self.tickets) = (group, tickets)
    }
}

/// The end of a group. From then on only the owner's records and those behind a head count.
package struct Close: Hashable, Sendable {
    package let heads: [RecordHash]
    package let successor: Successor?

    package struct Successor: Hashable, Sendable {
        package let group: ZoneID
        /// The member whose Offers the group's members use.
        package let founder: MemberID

        package init(group: ZoneID, founder: MemberID) {
            (self.group, self.founder) = (group, founder)
        }
    }

    package init(heads: [RecordHash], successor: Successor?) {
        self.heads = heads.sorted()
        self.successor = successor
    }
}
