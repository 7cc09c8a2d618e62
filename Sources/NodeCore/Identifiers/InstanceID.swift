/// Random, generated at each start: distinguishes a running node from a copy of it.
@usableFromInline
package struct InstanceID: Identifier16 {
    @usableFromInline package let storage: Bytes16

    @inlinable
    package init(_ storage: Bytes16) { self.storage = storage }
}
