/// Where this account stands in a group.
package enum GroupAccess: Hashable, Sendable {
    /// Let in; the record of it is not here yet. Next: any.
    case joining
    case member
    /// Hidden by an admin or the owner, until somebody lifts it. Next: member, removed, closed.
    case suspended
    /// Let in by what the owner took before it knew of it: by an invitation that was revoked, or by somebody who was
    /// removed. Another invitation lets the same key in. Next: joining, member, removed, closed.
    case lapsed
    /// Left by its own word, on this or another device. Another invitation lets it in again. Next: joining, member,
    /// removed, closed.
    case left
    /// Removed by the owner. Final for this key: what was here stays readable.
    case removed
    /// The group was deleted. Final.
    case closed
}
