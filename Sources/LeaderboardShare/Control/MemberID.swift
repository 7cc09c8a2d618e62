package import NodeCore

/// A person in one group: the Ed25519 key with which all devices of that person's account sign control records there.
package struct MemberID: Identifier32 {
    package let storage: Bytes32

    package init(_ storage: Bytes32) { self.storage = storage }
}
