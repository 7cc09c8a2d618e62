package import NodeCore

/// The first message each way. It binds the device's lane to the session by a signature of the handshake hash, and
/// shows by another that its sender holds the account's root.
package struct Hello: Sendable {
    package var lane: LaneID
    /// Ed25519 by the lane's key over `hello/device` and the handshake hash.
    package var deviceSignature: [UInt8]
    /// The zone's proof of `hello/account` and the handshake hash: the account's Ed25519 signature, or in a group the
    /// member's key and its signature.
    package var accountSignature: [UInt8]
    /// Random for each run: how a node recognises itself, and a copy of itself.
    package var instance: InstanceID
    package var digest: ZoneDigest
    /// The TCP port on which the sender accepts sessions; 0 where it does not.
    package var port: UInt16

    package static func deviceMessage(_ handshakeHash: [UInt8]) -> [UInt8] {
        Array("kachat/hello/device".utf8) + handshakeHash
    }

    package static func accountMessage(_ handshakeHash: [UInt8]) -> [UInt8] {
        Array("kachat/hello/account".utf8) + handshakeHash
    }
}
