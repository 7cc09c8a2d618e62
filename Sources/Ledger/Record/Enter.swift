package import NodeCore

/// A lane comes into the zone, for a member.
package struct Enter: Hashable, Sendable {
    package let person: PersonID
    /// Zero in an account.
    package let firstLane: LaneID
    package let isReplica: Bool
    /// The X25519 key to which roots are sealed for this lane.
    package let sealKey: Bytes32
    package let entrance: Entrance
    /// The lane that the device had before a fresh start; zero if none. It counts only if that lane is the endorser.
    package let succeeds: LaneID

    /// How a lane enters.
    package enum Entrance: Hashable, Sendable {
        /// The person's signature of `Enter.endorsed`.
        case person([UInt8])
        /// The signature of a lane of the same member.
        case lane(LaneID, [UInt8])
        /// A member's first lane, by a ticket: `proof` is the ticket key's signature of `Enter.claimed`.
        case ticket(TicketID, key: Bytes32, proof: [UInt8])
        /// The founder's first lane, which genesis names.
        case founder
    }

    package init(
        person: PersonID, firstLane: LaneID, isReplica: Bool = false, sealKey: Bytes32, entrance: Entrance,
        succeeds: LaneID = .zero
    ) {
        self.person = person
        self.firstLane = firstLane
        self.isReplica = isReplica
        self.sealKey = sealKey
        self.entrance = entrance
        self.succeeds = succeeds
    }

    package var member: MemberID { MemberID(person: person, firstLane: firstLane) }

    /// The bytes that a person or lane signs to let `lane` in. They cover `succeeds`: otherwise a paired device could
    /// claim afterwards to succeed the one that paired it.
    package static func endorsed(
        lane: LaneID, member: MemberID, isReplica: Bool, sealKey: Bytes32, succeeds: LaneID, zone: ZoneID
    ) -> [UInt8] {
        Blake2b.hash32(
            zone.bytes, lane.bytes, member.bytes, [isReplica ? 1 : 0], sealKey.bytes, succeeds.bytes,
            domain: "kachat endorse"
        ).bytes
    }

    /// The bytes that a ticket's key signs for a member.
    package static func claimed(ticket: TicketID, member: MemberID, zone: ZoneID) -> [UInt8] {
        Blake2b.hash32(zone.bytes, ticket.invite.bytes, [ticket.index], member.bytes, domain: "kachat ticket").bytes
    }

    func isEndorsed(lane: LaneID, zone: ZoneID) -> Bool {
        let signature: [UInt8]
        let key: Bytes32
        switch entrance {
        case .person(let made): (key, signature) = (person.storage, made)
        case .lane(let endorser, let made): (key, signature) = (endorser.storage, made)
        case .ticket, .founder: return true
        }
        let message = Self.endorsed(
            lane: lane, member: member, isReplica: isReplica, sealKey: sealKey, succeeds: succeeds, zone: zone)
        return Ed25519.verify(signature: signature, message: message, publicKey: key)
    }

    func isProven(zone: ZoneID) -> Bool {
        guard case .ticket(let ticket, let key, let proof) = entrance else { return true }
        let message = Self.claimed(ticket: ticket, member: member, zone: zone)
        return Ed25519.verify(signature: proof, message: message, publicKey: key)
    }
}
