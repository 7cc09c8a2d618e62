/// A hash over the records of a lane, or of a range of it: equal when two nodes hold the same rows.
@usableFromInline
package struct Fingerprint: Identifier16 {
    @usableFromInline package let storage: Bytes16

    @inlinable
    package init(_ storage: Bytes16) { self.storage = storage }
}
