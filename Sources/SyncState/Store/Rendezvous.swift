package import NodeCore

/// A place where an outsider who wants to join a zone meets a member: a few messages over a separate session, under
/// keys both got elsewhere. The kind of zone defines the messages (docs/PROTOCOL.md, §13.9).
///
/// Confined to the node's thread.
package protocol Rendezvous: AnyObject {
    /// This node's handle for it.
    var handle: PlaceID { get }
    var role: RendezvousRole { get }
    /// The keys that a seeker uses, or all that a member recognises; none if nobody is answered. There is one session
    /// key for each discovery key.
    var keys: PlaceKeys { get }
    /// Only for this run, so that it cannot be used to recognise a seeker or its answers.
    var staticKey: X25519.KeyPair { get }

    /// A session is open. Returns the first message to send, if any.
    func opened(_ meeting: RendezvousMeeting) -> [UInt8]?
    /// Handles a message. Its changes to a zone are part of that zone's transaction; the answer is sent after its
    /// commit.
    ///
    /// - Throws: only errors of a store.
    func received(_ message: [UInt8], in meeting: RendezvousMeeting) throws -> RendezvousAnswer
}

package enum RendezvousRole: Sendable {
    /// Sends beacons and asks.
    case seeks
    /// Looks for beacons of seekers and answers.
    case answers
}

/// One session of a rendezvous.
package struct RendezvousMeeting: Sendable {
    /// 32 bytes to which signatures bind, so that they are valid in this session only.
    package let handshakeHash: [UInt8]
    /// The address that was dialled, or that the peer came from.
    package let address: SocketAddress
    package let isInitiator: Bool
    /// The port where this node accepts sessions; 0 if it does not.
    package let port: UInt16

    package init(handshakeHash: [UInt8], address: SocketAddress, isInitiator: Bool, port: UInt16) {
        self.handshakeHash = handshakeHash
        self.address = address
        self.isInitiator = isInitiator
        self.port = port
    }
}

/// The result of a message. In any case it ends the meeting.
package struct RendezvousAnswer: Sendable {
    package var message: [UInt8]?
    /// Whether the user should be notified.
    package var isNews: Bool

    package init(message: [UInt8]? = nil, isNews: Bool = false) {
        self.message = message
        self.isNews = isNews
    }
}
