package import NodeCore
import SyncState

/// The first message each way, the initiator's first. A signature binds the device's lane to the session: it covers the
/// side that opened the session, the zone, the whole body and the handshake. So nobody can replay, reflect or change
/// HELLO, or use it for another zone.
package struct Hello: Sendable {
    /// The sender's end of the session, so that the two ends never sign the same text.
    package enum Side: UInt8, Sendable {
        case initiator = 1
        case responder = 2

        package init(isInitiator: Bool) { self = isInitiator ? .initiator : .responder }

        package var other: Side { self == .initiator ? .responder : .initiator }
    }

    /// The data that the signature covers in addition to the body.
    package struct Context: Sendable {
        package let side: Side
        package let zone: ZoneID
        /// 32 bytes.
        package let handshakeHash: [UInt8]

        package init(side: Side, zone: ZoneID, handshakeHash: [UInt8]) {
            (self.side, self.zone, self.handshakeHash) = (side, zone, handshakeHash)
        }
    }

    package struct Body: Sendable {
        /// The versions of the protocol that the sender speaks.
        package var versions: [UInt16]
        package var lane: LaneID
        /// Random for each run: a node uses it to recognise itself, and a copy of itself.
        package var instance: InstanceID
        package var digest: ZoneDigest
        /// The digest of the sender's control records.
        package var ledger: Bytes16
        /// The TCP port on which the sender accepts sessions; 0 if it accepts none.
        package var port: UInt16

        package init(
            lane: LaneID, instance: InstanceID, digest: ZoneDigest, ledger: Bytes16 = .zero, port: UInt16,
            versions: [UInt16] = Limits.protocolVersions
        ) {
            self.versions = versions
            self.lane = lane
            self.instance = instance
            self.digest = digest
            self.ledger = ledger
            self.port = port
        }
    }

    package var body: Body
    /// Ed25519 signature by the lane's key.
    package var deviceSignature: [UInt8]
    /// Empty: the zone's ledger says which lanes belong to it.
    package var proof: [UInt8]

    package init(body: Body, deviceSignature: [UInt8], proof: [UInt8] = []) {
        (self.body, self.deviceSignature, self.proof) = (body, deviceSignature, proof)
    }

    /// Signs a body.
    package init(_ body: Body, in context: Context, device: Ed25519.KeyPair) {
        self.init(body: body, deviceSignature: device.sign(body.deviceMessage(context)))
    }
}

extension Hello.Body {
    /// The bytes that the lane's key signs. All parts but the body have a fixed length, and the body delimits itself:
    /// no two texts are written alike.
    package func deviceMessage(_ context: Hello.Context) -> [UInt8] {
        var writer = CBORWriter(capacity: 256)
        writer.bytes += "kachat/hello/device".utf8
        writer.bytes.append(context.side.rawValue)
        writer.bytes += context.zone.bytes
        write(to: &writer)
        writer.bytes += context.handshakeHash
        return writer.bytes
    }

    func write(to writer: inout CBORWriter) {
        Self.write(versions, to: &writer)
        writer.write(lane)
        writer.write(instance)
        writer.write(digest)
        writer.write(ledger)
        writer.write(UInt64(port))
    }

    static func write(_ versions: [UInt16], to writer: inout CBORWriter) {
        writer.writeArray(versions.count)
        for version in versions { writer.write(UInt64(version)) }
    }

    /// Reads what follows the versions.
    init(versions: [UInt16], from reader: inout CBORReader) throws(CBORError) {
        self.versions = versions
        lane = try reader.read(LaneID.self)
        instance = try reader.read(InstanceID.self)
        digest = try reader.read(ZoneDigest.self)
        ledger = try reader.read(Bytes16.self)
        port = try Self.readUInt16(&reader)
    }

    static func readVersions(_ reader: inout CBORReader) throws(CBORError) -> [UInt16] {
        var versions: [UInt16] = []
        for _ in 0..<(try reader.readArray(max: Limits.versionsInHello)) {
            versions.append(try readUInt16(&reader))
        }
        guard !versions.isEmpty else { throw .wrongSize(at: reader.position) }
        return versions
    }

    private static func readUInt16(_ reader: inout CBORReader) throws(CBORError) -> UInt16 {
        let at = reader.position
        guard let number = UInt16(exactly: try reader.readUInt()) else { throw .outOfRange(at: at) }
        return number
    }
}
