package import NodeCore

/// The act of a control record, with its data.
package enum ControlAct: Hashable, Sendable {
    case genesis(Genesis)
    /// Gives a role to a member; `follows` are the demotions of that key that the owner knows and overrides.
    case grant(to: MemberID, role: Role, follows: NameSet)
    /// Opens an invitation: the first link of its tokens.
    case invite(Delegation)
    /// Admits a key under an invitation.
    case admission(Admission)
    /// Ties a device's lane to the signing member.
    case certificate(device: LaneID, index: UInt8)
    case suspend(MemberID)
    /// Lifts the named suspensions.
    case unsuspend(NameSet)
    /// Takes everything from a key for good, except the named records.
    case remove(MemberID, staying: NameSet)
    /// Lowers a key to a role; records under the higher one stay if they are named.
    case demote(MemberID, to: Role, staying: NameSet)
    /// Revokes an invitation; the named admissions stay.
    case revoke(invitation: RecordHash, staying: NameSet)
    /// Names further records that stay valid of an earlier ownership, given by the record `ownership`.
    case keep(ownership: RecordHash, staying: NameSet)
    /// Transfers the group; named records of the old owner stay valid.
    case transfer(Transfer)
    case title(GroupTitle)
    case rotate(Rotation)
    /// The root of a rotation or genesis, sealed to one member. No effect on the state.
    case seal(root: RecordHash, to: MemberID, sealed: [UInt8])
    case close
    /// The signer left; the names are the admissions that this ends. No effect on anyone's rights.
    case leave(NameSet)
    /// A kind of a later version: kept and passed on without effect.
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

    /// The member that gains or loses a role, or is suspended.
    package var subject: MemberID? {
        switch self {
        case .grant(let member, _, _), .remove(let member, _), .demote(let member, _, _), .suspend(let member): member
        case .admission(let admission): admission.subject
        case .transfer(let transfer): transfer.to
        default: nil
        }
    }

    /// The hashes it lists: records that stay, suspensions that are lifted, or records that are known.
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
