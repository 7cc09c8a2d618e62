package import NodeCore
package import SyncState

/// The first message each way. It binds the device's lane to the session by a signature, and shows by another that its
/// sender belongs to the zone. Both cover all that it says, the handshake, and who opened the session: nobody can give
/// it back, or change it.
package struct Hello: Sendable {
    /// The end of the session that says it; the other end never says the same.
    package enum Side: UInt8, Sendable {
        case initiator = 1
        case responder = 2

        package init(isInitiator: Bool) { self = isInitiator ? .initiator : .responder }

        package var other: Side { self == .initiator ? .responder : .initiator }
    }

    package var lane: LaneID
    /// Ed25519 by the lane's key.
    package var deviceSignature: [UInt8]
    /// The zone's proof: the account's Ed25519 signature, or in a group the member's key and its signature.
    package var accountSignature: [UInt8]
    /// Random for each run: how a node recognises itself, and a copy of itself.
    package var instance: InstanceID
    package var digest: ZoneDigest
    /// The TCP port on which the sender accepts sessions; 0 where it does not.
    package var port: UInt16

    /// What the lane's key signs.
    package func deviceMessage(_ side: Side, _ handshakeHash: [UInt8], rules: Rules = Rules()) -> [UInt8] {
        signed("kachat/hello/device", side, handshakeHash, rules)
    }

    /// What shows that the sender belongs to the zone is a signature of this.
    package func accountMessage(_ side: Side, _ handshakeHash: [UInt8], rules: Rules = Rules()) -> [UInt8] {
        signed("kachat/hello/account", side, handshakeHash, rules)
    }

    /// All parts but the purpose are of a fixed length, so that no two texts are written alike.
    private func signed(_ purpose: String, _ side: Side, _ handshakeHash: [UInt8], _ rules: Rules) -> [UInt8] {
        var writer = ByteWriter(capacity: 128)
        writer.write(Array(purpose.utf8))
        if !rules.isBroken(.helloWithoutSide) { writer.write(u8: side.rawValue) }
        if !rules.isBroken(.helloWithoutBody) {
            writer.write(lane)
            writer.write(instance)
            writer.write(digest)
            writer.write(u16: port)
        }
        writer.write(handshakeHash)
        return writer.bytes
    }
}

extension Hello {
    /// A HELLO with both signatures.
    ///
    /// - Parameter proof: signs as who belongs to the zone (`ReplicatedZone.proof(of:)`).
    package init(
        lane: LaneID, instance: InstanceID, digest: ZoneDigest, port: UInt16, side: Side, handshakeHash: [UInt8],
        rules: Rules = Rules(), device: Ed25519.KeyPair, proof: ([UInt8]) -> [UInt8]
    ) {
        self.init(
            lane: lane, deviceSignature: [], accountSignature: [], instance: instance, digest: digest, port: port)
        deviceSignature = device.sign(deviceMessage(side, handshakeHash, rules: rules))
        accountSignature = proof(accountMessage(side, handshakeHash, rules: rules))
    }
}
