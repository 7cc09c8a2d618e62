/// A value that has a join: commutative, associative and idempotent, so that all devices end with the same one, in
/// whatever order and however often they hear of it.
package protocol Joinable {
    func merged(with other: Self) -> Self
    /// True if joining `other` changes nothing.
    func contains(_ other: Self) -> Bool
}

extension Joinable where Self: Equatable {
    package func contains(_ other: Self) -> Bool { merged(with: other) == self }
}
