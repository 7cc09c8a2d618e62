package import NodeCore

/// One entry of a group's control log: signed by a member, and linked by hash to the giving that it acts under.
///
/// A value of this type is complete: it includes a list of names that travels as a blob. It is authentic even if read
/// from outside: `init(encoded:)` checks form, signatures and proofs. Only `GroupState` decides whether it counts.
package struct ControlRecord: Sendable {
    /// BLAKE2b-256 of the body, without the signature: the name used by other records.
    package let hash: RecordHash
    package let group: ZoneID
    /// The signer. A transfer is signed by the old owner; the new one's acceptance is inside.
    package let by: MemberID
    /// The giving under which it acts: an ownership, an admin's giving, an invitation. Zero if none is required.
    package let under: RecordHash
    /// By the signer's clock; shown to people, never used to judge.
    package let claimedAt: WallTime
    /// Random, so that two equal acts are two records.
    package let nonce: UInt64
    package let act: ControlAct
    /// 64 bytes, of the hash's bytes.
    package let signature: [UInt8]

    package static let formatVersion: UInt64 = 1
    static let domain = "kachat control"

    /// Creates a record; `sign` returns the member key's signature of its argument.
    package init(
        group: ZoneID, by: MemberID, under: RecordHash, claimedAt: WallTime, nonce: UInt64, act: ControlAct,
        sign: ([UInt8]) -> [UInt8]
    ) {
        let body = Self.body(group, by, under, claimedAt, nonce, act)
        let hash = RecordHash(Blake2b.hash32(body, domain: Self.domain))
        self.init(
            hash: hash, group: group, by: by, under: under, claimedAt: claimedAt, nonce: nonce, act: act,
            signature: sign(hash.bytes))
    }

    init(
        hash: RecordHash, group: ZoneID, by: MemberID, under: RecordHash, claimedAt: WallTime, nonce: UInt64,
        act: ControlAct, signature: [UInt8]
    ) {
        self.hash = hash
        self.group = group
        self.by = by
        self.under = under
        self.claimedAt = claimedAt
        self.nonce = nonce
        self.act = act
        self.signature = signature
    }

    package var kind: ControlKind? { act.kind }

    /// The key to which a giving gives a role.
    package var holder: MemberID { kind == .genesis ? by : act.subject ?? by }

    /// True if this is the one genesis of its group: the id matches, and fields that are free in other records have
    /// their fixed values.
    package var isGroupsGenesis: Bool {
        guard case .genesis(let genesis) = act else { return false }
        return genesis.groupID(owner: by) == group && under == .zero && nonce == 0 && claimedAt == genesis.createdAt
    }

    /// Checks the record itself: signatures, proofs, and that a genesis belongs to the group.
    package func verify() throws(ControlError) {
        guard Ed25519.verify(signature: signature, message: hash.bytes, publicKey: by.storage) else {
            throw .badSignature
        }
        switch act {
        case .genesis:
            guard isGroupsGenesis else { throw .wrongGroup }
        case .transfer(let transfer):
            let message = Transfer.acceptanceMessage(group: group, giving: under, from: by, to: transfer.to)
            guard Ed25519.verify(signature: transfer.acceptance, message: message, publicKey: transfer.to.storage)
            else { throw .badSignature }
        case .admission(let admission):
            guard admission.isProven(group: group) else { throw .badChain }
        default:
            break
        }
    }
}

extension ControlRecord: Hashable {
    package static func == (left: ControlRecord, right: ControlRecord) -> Bool { left.hash == right.hash }

    package func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
