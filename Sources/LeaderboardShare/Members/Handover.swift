package import NodeCore

/// A transfer of ownership, which both must sign: the owner's offer, and the answer of the member it is offered to.
/// `[1, giving, from, to, acceptance]`; in an offer the acceptance is empty. The owner's node then writes the transfer
/// itself.
package struct Handover: Hashable, Sendable {
    /// The record that gave the current ownership.
    package let giving: RecordHash
    package let from: MemberID
    package let to: MemberID
    /// The signature of `Transfer.acceptanceMessage` by `to`; empty in an offer.
    package let acceptance: [UInt8]

    static let formatVersion: UInt64 = 1

    package init(giving: RecordHash, from: MemberID, to: MemberID, acceptance: [UInt8] = []) {
        self.giving = giving
        self.from = from
        self.to = to
        self.acceptance = acceptance
    }

    package var isOffer: Bool { acceptance.isEmpty }

    /// The member who must have written the record.
    var author: MemberID { isOffer ? from : to }

    package var encoded: [UInt8] {
        var writer = CBORWriter(capacity: 192)
        writer.writeArray(5)
        writer.write(Self.formatVersion)
        writer.write(giving)
        writer.write(from)
        writer.write(to)
        writer.write(bytes: acceptance)
        return writer.bytes
    }

    package init(encoded: [UInt8]) throws(ControlError) {
        do {
            var reader = CBORReader(encoded)
            guard try reader.readArray(max: 5) == 5, try reader.readUInt() == Self.formatVersion else {
                throw ControlError.malformed
            }
            giving = try reader.read(RecordHash.self)
            from = try reader.read(MemberID.self)
            to = try reader.read(MemberID.self)
            acceptance = try reader.readBytes(max: Ed25519.signatureBytes)
            guard acceptance.isEmpty || acceptance.count == Ed25519.signatureBytes else {
                throw ControlError.malformed
            }
            try reader.finish()
        } catch {
            throw .malformed
        }
    }
}
