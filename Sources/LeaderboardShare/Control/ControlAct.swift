package import NodeCore

/// What a control record does, with its data.
package enum ControlAct: Hashable, Sendable {
    case genesis(Genesis)
    /// Gives a role to a member; `follows` are the demotions of that key that the owner knows and goes beyond.
    case grant(to: MemberID, role: Role, follows: NameSet)
    /// Opens an invitation: the first link of its tokens.
    case invite(Delegation)
    /// Lets a key in under an invitation.
    case admission(Admission)
    /// Ties a device's lane to the signing member.
    case certificate(device: LaneID, index: UInt8)
    case suspend(MemberID)
    /// Lifts the suspensions that it names.
    case unsuspend(NameSet)
    /// Takes everything from a key, for ever, but for the records that are named.
    case remove(MemberID, staying: NameSet)
    /// Lowers a key to a role; records under the higher one stay if they are named.
    case demote(MemberID, to: Role, staying: NameSet)
    /// Ends an invitation; the named admissions stay.
    case revoke(invitation: RecordHash, staying: NameSet)
    /// Names more of what stays of an earlier ownership, given by the record `ownership`.
    case keep(ownership: RecordHash, staying: NameSet)
    /// Hands the group over; what the old owner did under its ownership stays if it is named.
    case transfer(Transfer)
    case title(GroupTitle)
    case rotate(Rotation)
    /// The root of a rotation or genesis, sealed to one member. Says nothing about the state.
    case seal(root: RecordHash, to: MemberID, sealed: [UInt8])
    case close
    /// The signer left; the names are the admissions that this ends. Says nothing about anybody's rights.
    case leave(NameSet)
    /// A kind of a later version: kept and passed on, and judged as nothing.
    case later(kind: UInt64, fields: [UInt8])

    /// Nil for a kind of a later version.
    package var kind: ControlKind? {
        switch self {
        case .genesis: .genesis
        case .grant: .grant
        case .invite: .invite
        case .admission: .admission
        case .certificate: .certificate
        case .suspend: .suspend
        case .unsuspend: .unsuspend
        case .remove: .remove
        case .demote: .demote
        case .revoke: .revoke
        case .keep: .keep
        case .transfer: .transfer
        case .title: .title
        case .rotate: .rotate
        case .seal: .seal
        case .close: .close
        case .leave: .leave
        case .later: nil
        }
    }

    /// The member that a role is given to or taken from, or that is suspended.
    package var subject: MemberID? {
        switch self {
        case .grant(let member, _, _), .remove(let member, _), .demote(let member, _, _), .suspend(let member): member
        case .admission(let admission): admission.subject
        case .transfer(let transfer): transfer.to
        default: nil
        }
    }

    /// The list of hashes that it carries: what stays, what is lifted, or what is known.
    package var names: NameSet {
        switch self {
        case .grant(_, _, let names), .unsuspend(let names), .leave(let names), .remove(_, let names),
            .demote(_, _, let names), .revoke(_, let names), .keep(_, let names):
            names
        case .transfer(let transfer): transfer.staying
        case .rotate(let rotation): rotation.follows
        default: .empty
        }
    }
}
