package import NodeCore

/// The fields of each kind, in the order in which its type names them. An identifier that may be absent is an empty
/// byte string then. Lists of identifiers are ascending, without repetition, so that a record has one form only.
extension LedgerAct {
    package var kind: UInt64 {
        switch self {
        case .genesis: LedgerKind.genesis.rawValue
        case .enter: LedgerKind.enter.rawValue
        case .remove: LedgerKind.remove.rawValue
        case .rotate: LedgerKind.rotate.rawValue
        case .seal: LedgerKind.seal.rawValue
        case .leave: LedgerKind.leave.rawValue
        case .end: LedgerKind.end.rawValue
        case .invite: LedgerKind.invite.rawValue
        case .revoke: LedgerKind.revoke.rawValue
        case .word: LedgerKind.word.rawValue
        case .title: LedgerKind.title.rawValue
        case .suspend: LedgerKind.suspend.rawValue
        case .unsuspend: LedgerKind.unsuspend.rawValue
        case .offer: LedgerKind.offer.rawValue
        case .close: LedgerKind.close.rawValue
        case .unopened: LedgerKind.unopened.rawValue
        case .later(let kind, _): kind
        }
    }

    var isGenesis: Bool { if case .genesis = self { true } else { false } }

    /// True if it follows no record: a genesis, an Enter, and what a person signs.
    var standsAlone: Bool {
        switch self {
        case .genesis, .enter, .remove: true
        default: false
        }
    }

    var encodedFields: [UInt8] {
        if case .later(_, let fields) = self { return fields }
        var writer = CBORWriter(capacity: 128)
        switch self {
        case .genesis(let genesis): genesis.write(to: &writer)
        case .enter(let enter): enter.write(to: &writer)
        case .remove(let remove):
            writer.writeOptional(remove.firstLane)
            writer.write(all: remove.lanes)
            writer.write(all: remove.heads)
            writer.write(all: remove.stays)
            writer.write(all: remove.children)
        case .rotate(let rotate):
            writer.write(rotate.number, rotate.root.replication, rotate.root.reading)
            writer.write(all: rotate.covers)
            writer.writeArray(rotate.tips.count)
            for tip in rotate.tips { writer.write(array: tip.rotate, tip.sealedRoot) }
        case .seal(let seal):
            writer.write(seal.rotate, seal.ephemeral)
            writer.writeArray(seal.entries.count)
            for entry in seal.entries { writer.write(array: entry.recipient, entry.sealed) }
        case .leave, .later: break
        case .end(let lane): writer.write(lane)
        case .invite(let invite):
            writer.write(invite.role, invite.expires)
            writer.write(all: invite.keys)
        case .revoke(let revoke):
            writer.write(revoke.invite)
            writer.writeArray(revoke.stays.count)
            for stay in revoke.stays { writer.write(array: Int(stay.index), stay.member) }
        case .word(let word): word.write(to: &writer)
        case .title(let title): writer.write(title.revision, title.sealed)
        case .suspend(let member): writer.write(member)
        case .unsuspend(let suspension): writer.write(suspension)
        case .offer(let offer):
            writer.write(offer.group)
            writer.writeArray(offer.tickets.count)
            for ticket in offer.tickets { writer.write(array: ticket.member, ticket.lane, ticket.sealed) }
        case .close(let close):
            writer.write(all: close.heads)
            writer.writeOptional(close.successor?.group ?? .zero)
            writer.writeOptional(close.successor?.founder ?? .zero)
        case .unopened(let seals): writer.write(all: seals)
        }
        return writer.bytes
    }

    init(kind raw: UInt64, fields: [UInt8]) throws(LedgerError) {
        guard let kind = LedgerKind(rawValue: raw) else {
            self = .later(kind: raw, fields: fields)
            return
        }
        do {
            var reader = CBORReader(fields)
            self = try Self.read(kind, &reader)
            try reader.finish()
        } catch {
            throw .malformed
        }
    }

    private static func read(_ kind: LedgerKind, _ reader: inout CBORReader) throws -> LedgerAct {
        switch kind {
        case .genesis: return .genesis(try Genesis(from: &reader))
        case .enter: return .enter(try Enter(from: &reader))
        case .remove:
            let firstLane: LaneID = try LedgerRecord.readOptional(&reader) ?? .zero
            let lanes: [LaneID] = try reader.readList()
            guard (1...Limits.removedLanes).contains(lanes.count) else { throw LedgerError.malformed }
            return .remove(
                Remove(
                    firstLane: firstLane, lanes: lanes, heads: try reader.readList(), stays: try reader.readList(),
                    children: try reader.readList()))
        case .rotate:
            let number = try reader.readUInt(max: Limits.rotateNumber)
            let root = try RootCommitment(from: &reader)
            let covers: [RecordHash] = try reader.readList()
            let tips = try reader.readEach(of: 2) { reader in
                Rotate.Tip(
                    rotate: try reader.read(RecordHash.self),
                    sealedRoot: try reader.readBytes(max: Limits.sealedRootBytes))
            }
            guard !tips.isEmpty, tips.isAscending(by: \.rotate) else { throw LedgerError.malformed }
            return .rotate(Rotate(number: number, root: root, covers: covers, tips: tips))
        case .seal:
            let rotate = try reader.read(RecordHash.self)
            let ephemeral = try reader.read(Bytes32.self)
            let entries = try reader.readEach(of: 2) { reader in
                Seal.Entry(
                    recipient: try reader.read(Bytes32.self),
                    sealed: try reader.readBytes(max: Limits.sealedRootBytes))
            }
            guard entries.count <= Limits.sealEntries, entries.isAscending(by: \.recipient) else {
                throw LedgerError.malformed
            }
            return .seal(Seal(rotate: rotate, ephemeral: ephemeral, entries: entries))
        case .leave: return .leave
        case .end: return .end(try reader.read(LaneID.self))
        case .invite:
            let role = try Role(from: &reader, upTo: .admin)
            let expires = WallTime(milliseconds: try reader.readInt())
            let keys = try reader.readEach { reader in try reader.read(Bytes32.self) }
            guard role != .none, (1...Limits.tickets).contains(keys.count) else { throw LedgerError.malformed }
            return .invite(Invite(role: role, expires: expires, keys: keys))
        case .revoke:
            let invite = try reader.read(RecordHash.self)
            let stays = try reader.readEach(of: 2) { reader in
                Revoke.Stay(index: try reader.readTicketIndex(), member: try reader.read(MemberID.self))
            }
            let isAscending = zip(stays, stays.dropFirst()).allSatisfy { ($0.index, $0.member) < ($1.index, $1.member) }
            guard isAscending else { throw LedgerError.malformed }
            return .revoke(Revoke(invite: invite, stays: stays))
        case .word: return .word(try Word(from: &reader))
        case .title:
            return .title(
                Title(
                    revision: try reader.readUInt(max: Limits.revision),
                    sealed: try reader.readBytes(max: Limits.sealedTitleBytes)))
        case .suspend: return .suspend(try reader.read(MemberID.self))
        case .unsuspend: return .unsuspend(try reader.read(RecordHash.self))
        case .offer:
            let group = try reader.read(ZoneID.self)
            let tickets = try reader.readEach(of: 3) { reader in
                Offer.Ticket(
                    member: try reader.read(MemberID.self), lane: try reader.read(LaneID.self),
                    sealed: try reader.readBytes(max: Limits.sealedTicketBytes))
            }
            return .offer(Offer(group: group, tickets: tickets))
        case .close:
            let heads: [RecordHash] = try reader.readList()
            let group: ZoneID? = try LedgerRecord.readOptional(&reader)
            let founder: MemberID? = try LedgerRecord.readOptional(&reader)
            switch (group, founder) {
            case (nil, nil): return .close(Close(heads: heads, successor: nil))
            case (let group?, let founder?):
                return .close(Close(heads: heads, successor: .init(group: group, founder: founder)))
            default: throw LedgerError.malformed
            }
        case .unopened:
            let seals: [RecordHash] = try reader.readList()
            guard (1...Limits.unopenedSeals).contains(seals.count) else { throw LedgerError.malformed }
            return .unopened(seals)
        }
    }
}

extension Genesis {
    fileprivate func write(to writer: inout CBORWriter) {
        switch self {
        case .account(let identity, let sealKey): writer.write(identity, sealKey)
        case .group(let group):
            writer.write(
                group.person, group.firstLane, group.memberLimit, group.root.replication, group.root.reading)
        }
    }

    /// An account's genesis has two fields, a group's five.
    fileprivate init(from reader: inout CBORReader) throws {
        let person = try reader.read(PersonID.self)
        let second = try reader.read(Bytes32.self)
        guard reader.remaining > 0 else {
            self = .account(identity: person, sealKey: second)
            return
        }
        self = .group(
            GroupGenesis(
                person: person, firstLane: LaneID(second), memberLimit: try reader.readUInt32(),
                root: try RootCommitment(from: &reader)))
    }
}

extension RootCommitment {
    fileprivate init(from reader: inout CBORReader) throws {
        self.init(replication: try reader.read(Bytes32.self), reading: try reader.read(Bytes32.self))
    }
}

extension Enter {
    private enum Form: UInt64 {
        case founder = 0
        case person, lane, ticket
    }

    fileprivate func write(to writer: inout CBORWriter) {
        writer.write(person)
        writer.writeOptional(firstLane)
        writer.write(isReplica, sealKey)
        writer.writeOptional(succeeds)
        switch entrance {
        case .founder: writer.write(Form.founder.rawValue)
        case .person(let signature): writer.write(Form.person.rawValue, signature)
        case .lane(let lane, let signature): writer.write(Form.lane.rawValue, lane, signature)
        case .ticket(let ticket, let key, let proof):
            writer.write(Form.ticket.rawValue, ticket.invite, Int(ticket.index), key, proof)
        }
    }

    fileprivate init(from reader: inout CBORReader) throws {
        person = try reader.read(PersonID.self)
        firstLane = try LedgerRecord.readOptional(&reader) ?? .zero
        isReplica = try reader.readBool()
        sealKey = try reader.read(Bytes32.self)
        succeeds = try LedgerRecord.readOptional(&reader) ?? .zero
        switch Form(rawValue: try reader.readUInt()) {
        case .founder: entrance = .founder
        case .person: entrance = .person(try reader.readSignature())
        case .lane: entrance = .lane(try reader.read(LaneID.self), try reader.readSignature())
        case .ticket:
            let ticket = TicketID(invite: try reader.read(RecordHash.self), index: try reader.readTicketIndex())
            entrance = .ticket(ticket, key: try reader.read(Bytes32.self), proof: try reader.readSignature())
        case nil: throw LedgerError.malformed
        }
    }
}

extension Word {
    fileprivate func write(to writer: inout CBORWriter) {
        writer.write(member, role, revision, keep)
        writer.write(all: heads)
        if let ticket { writer.write(ticket.issuer, ticket.ticket.invite, Int(ticket.ticket.index)) }
    }

    /// The ticket's three fields stand last, and are absent if it takes none up.
    fileprivate init(from reader: inout CBORReader) throws {
        let member = try reader.read(MemberID.self)
        let role = try Role(from: &reader, upTo: .admin)
        let revision = try reader.readUInt(max: Limits.revision)
        let keep = try Role(from: &reader, upTo: .admin)
        let heads: [RecordHash] = try reader.readList()
        guard heads.count <= Limits.wordHeads else { throw LedgerError.malformed }
        var ticket: UsedTicket?
        if reader.remaining > 0 {
            ticket = UsedTicket(
                issuer: try reader.read(MemberID.self),
                ticket: TicketID(invite: try reader.read(RecordHash.self), index: try reader.readTicketIndex()))
        }
        self.init(member: member, role: role, revision: revision, ticket: ticket, keep: keep, heads: heads)
    }
}

extension Role: CBORValue {
    @usableFromInline package func write(to writer: inout CBORWriter) { writer.write(UInt64(rawValue)) }

    init(from reader: inout CBORReader, upTo highest: Role) throws {
        guard let raw = UInt8(exactly: try reader.readUInt()), let role = Role(rawValue: raw), role <= highest else {
            throw LedgerError.malformed
        }
        self = role
    }
}

extension CBORReader {
    /// - Parameter fields: the number of fields of each element, if it is an array itself.
    fileprivate mutating func readEach<Element>(
        of fields: Int? = nil, _ read: (inout CBORReader) throws -> Element
    ) throws -> [Element] {
        let count = try readArray(max: Limits.recordBytes / 2)
        var list: [Element] = []
        for _ in 0..<count {
            if let fields, try readArray(max: fields) != fields { throw LedgerError.malformed }
            list.append(try read(&self))
        }
        return list
    }

    fileprivate mutating func readList<ID: Identifier32>() throws -> [ID] {
        let list = try readEach { reader in try reader.read(ID.self) }
        guard list.isAscending(by: \.storage) else { throw LedgerError.malformed }
        return list
    }

    fileprivate mutating func readSignature() throws -> [UInt8] {
        let signature = try readBytes(max: Ed25519.signatureBytes)
        guard signature.count == Ed25519.signatureBytes else { throw LedgerError.malformed }
        return signature
    }

    fileprivate mutating func readTicketIndex() throws -> UInt8 {
        UInt8(try readUInt(max: UInt64(Limits.tickets - 1)))
    }
}

extension Array {
    /// True if each element's key is above the one before it.
    fileprivate func isAscending(by key: (Element) -> some Comparable) -> Bool {
        zip(self, dropFirst()).allSatisfy { key($0) < key($1) }
    }
}
