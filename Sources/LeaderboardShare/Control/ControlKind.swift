/// What a control record does, as a number on the wire. Numbers are never used again for something else.
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

    /// Whether admins may do it.
    package var isAdminAct: Bool {
        switch self {
        case .invite, .suspend, .unsuspend: true
        default: false
        }
    }

    /// Whether the owner may do it under its ownership. A transfer stands under one too, and is judged by itself.
    package var isOwnerAct: Bool {
        switch self {
        case .remove, .demote, .revoke, .keep, .grant, .title, .rotate, .close: true
        default: isAdminAct
        }
    }

    /// Whether it gives a role to a key.
    package var isGiving: Bool {
        switch self {
        case .genesis, .transfer, .grant, .admission: true
        default: false
        }
    }
}
