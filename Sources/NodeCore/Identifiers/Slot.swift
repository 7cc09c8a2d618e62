/// Identifies the subject of a record to others as an opaque tag: a keyed hash of the slot's name.
@usableFromInline
package struct Slot: Identifier16 {
    @usableFromInline package let storage: Bytes16

    @inlinable
    package init(_ storage: Bytes16) { self.storage = storage }
}
