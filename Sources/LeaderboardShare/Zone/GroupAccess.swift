/// Where this account stands in a group.
package enum GroupAccess: Hashable, Sendable {
    /// Let in; the record of it is not here yet. Next: any.
    case joining
    case member
    /// Hidden by an admin or the owner, until somebody lifts it. Next: member, removed, closed.
    case suspended
    /// Removed by the owner. Final for this key: what was here stays readable.
    case removed
    /// The group was deleted. Final.
    case closed
}
