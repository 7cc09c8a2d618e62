/// This account's standing in a group.
package enum GroupAccess: Hashable, Sendable {
    /// Admitted; the record of the admission is not here yet. Next: any.
    case joining
    case member
    /// Hidden by an admin or the owner until the suspension is lifted. Next: member, removed, closed.
    case suspended
    /// Admitted by a right that the owner had taken without knowing of the admission: by a revoked invitation, or by a
    /// removed member. Another invitation admits the same key. Next: joining, member, removed, closed.
    case lapsed
    /// Left voluntarily, on this or another device. Another invitation admits it again. Next: joining, member, removed,
    /// closed.
    case left
    /// Removed by the owner. Final for this key; the local copy stays readable.
    case removed
    /// The group was deleted. Final.
    case closed
}
