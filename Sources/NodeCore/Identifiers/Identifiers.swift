/// Names a zone: a replication domain with its own store, keys and vector.
@usableFromInline
package struct ZoneID: Identifier32 {
    @usableFromInline package let storage: Bytes32
    @inlinable package init(_ storage: Bytes32) { self.storage = storage }
}

/// A local handle for a place where sessions are opened: a served zone, a rendezvous, or pairing. Never on the wire.
package struct PlaceID: Identifier32 {
    @usableFromInline package let storage: Bytes32
    @inlinable package init(_ storage: Bytes32) { self.storage = storage }
}

/// Names a lane: the public Ed25519 key of the one device that writes it. Users know it as the device id.
@usableFromInline
package struct LaneID: Identifier32 {
    @usableFromInline package let storage: Bytes32
    @inlinable package init(_ storage: Bytes32) { self.storage = storage }
}

/// Random, generated at each start: distinguishes a running node from a copy of it.
@usableFromInline
package struct InstanceID: Identifier16 {
    @usableFromInline package let storage: Bytes16
    @inlinable package init(_ storage: Bytes16) { self.storage = storage }
}

/// Names an account: the public Ed25519 key made from the recovery phrase.
@usableFromInline
package struct AccountID: Identifier32 {
    @usableFromInline package let storage: Bytes32
    @inlinable package init(_ storage: Bytes32) { self.storage = storage }
}

/// Identifies the subject of a record to others as an opaque tag: a keyed hash of the slot's name.
@usableFromInline
package struct Slot: Identifier16 {
    @usableFromInline package let storage: Bytes16
    @inlinable package init(_ storage: Bytes16) { self.storage = storage }
}

/// The transaction id of a chat message.
@usableFromInline
package struct TxID: Identifier32 {
    @usableFromInline package let storage: Bytes32
    @inlinable package init(_ storage: Bytes32) { self.storage = storage }
}

/// BLAKE2b-256 of a record's canonical encoding.
@usableFromInline
package struct RecordHash: Identifier32 {
    @usableFromInline package let storage: Bytes32
    @inlinable package init(_ storage: Bytes32) { self.storage = storage }
}

/// BLAKE2b-256 of a blob's ciphertext, which is its address.
@usableFromInline
package struct BlobHash: Identifier32 {
    @usableFromInline package let storage: Bytes32
    @inlinable package init(_ storage: Bytes32) { self.storage = storage }
}

/// A hash over the records of a lane, or of a range of it: equal when two nodes hold the same rows.
@usableFromInline
package struct Fingerprint: Identifier16 {
    @usableFromInline package let storage: Bytes16
    @inlinable package init(_ storage: Bytes16) { self.storage = storage }
}

/// A hash of a zone's vector: equal when two nodes have nothing to tell each other.
@usableFromInline
package struct ZoneDigest: Identifier16 {
    @usableFromInline package let storage: Bytes16
    @inlinable package init(_ storage: Bytes16) { self.storage = storage }
}
