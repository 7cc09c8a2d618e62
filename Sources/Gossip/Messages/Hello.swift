package import NodeCore

/// The first message each way. One signature binds the device's lane to the session, and another shows that its sender
/// belongs to the zone. Both cover its whole body, the handshake, and the side that opened the session: nobody can
/// replay or change it.
package struct Hello: Sendable {
    /// The sender's end of the session, so that the two ends never sign the same text.
    package enum Side: UInt8, Sendable {
        case initiator = 1
        case responder = 2

        package init(isInitiator: Bool) { self = isInitiator ? .initiator : .responder }

        package var other: Side { self == .initiator ? .responder : .initiator }
    }

    package var lane: LaneID
    /// Ed25519 signature by the lane's key.
    package var deviceSignature: [UInt8]
    /// The zone's proof: the account's Ed25519 signature, or in a group the member's key and its signature.
    package var accountSignature: [UInt8]
    /// Random for each run: a node uses it to recognise itself, and a copy of itself.
    package var instance: InstanceID
    package var digest: ZoneDigest
    /// The TCP port on which the sender accepts sessions; 0 if it accepts none.
    package var port: UInt16

    /// What the lane's key signs.
    package func deviceMessage(_ side: Side, _ handshakeHash: [UInt8]) -> [UInt8] {
        signed("kachat/hello/device", side, handshakeHash)
    }

    /// What shows that the sender belongs to the zone is a signature of this.
    package func accountMessage(_ side: Side, _ handshakeHash: [UInt8]) -> [UInt8] {
        signed("kachat/hello/account", side, handshakeHash)
    }

    /// All parts but the purpose are of a fixed length, so that no two texts are written alike.
    private func signed(_ purpose: String, _ side: Side, _ handshakeHash: [UInt8]) -> [UInt8] {
        var writer = ByteWriter(capacity: 128)
        writer.write(Array(purpose.utf8))
        writer.write(u8: side.rawValue)
        writer.write(lane)
        writer.write(instance)
        writer.write(digest)
        writer.write(u16: port)
        writer.write(handshakeHash)
        return writer.bytes
    }
}

extension Hello {
    /// Creates a HELLO with both signatures.
    ///
    /// - Parameter proof: signs as a member of the zone (`ReplicatedZone.proof(of:)`).
    package init(
        lane: LaneID, instance: InstanceID, digest: ZoneDigest, port: UInt16, side: Side, handshakeHash: [UInt8],
        device: Ed25519.KeyPair, proof: ([UInt8]) -> [UInt8]
    ) {
        self.init(
            lane: lane, deviceSignature: [], accountSignature: [], instance: instance, digest: digest, port: port)
        deviceSignature = device.sign(deviceMessage(side, handshakeHash))
        accountSignature = proof(accountMessage(side, handshakeHash))
    }
}
