/// The act of a control record, as a number on the wire. Numbers are never reused.
package enum ControlKind: UInt64, CaseIterable, Sendable {
    case genesis = 0
    case grant = 1
    case invite = 2
    case admission = 3
    case certificate = 4
    case suspend = 5
    case unsuspend = 6
    case remove = 7
    case demote = 8
    case revoke = 9
    case keep = 10
    case transfer = 11
    case title = 12
    case rotate = 13
    case seal = 14
    case close = 15
    case leave = 16

    /// True if admins may do it.
    package var isAdminAct: Bool {
        switch self {
        case .invite, .suspend, .unsuspend: true
        default: false
        }
    }

    /// True if the owner may do it under its ownership. A transfer is under one too, and is judged separately.
    package var isOwnerAct: Bool {
        switch self {
        case .remove, .demote, .revoke, .keep, .grant, .title, .rotate, .close: true
        default: isAdminAct
        }
    }

    /// True if it gives a role to a key.
    package var isGiving: Bool {
        switch self {
        case .genesis, .transfer, .grant, .admission: true
        default: false
        }
    }
}
