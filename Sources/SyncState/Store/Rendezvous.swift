package import NodeCore

/// A place where an outsider who wants to join a zone meets a member: a few messages over a separate session, under
/// keys both got elsewhere. The kind of zone defines the messages (docs/PROTOCOL-JOINING.md, §13.5).
///
/// Confined to the node's thread.
package protocol Rendezvous: AnyObject {
    /// This node's handle for it.
    var handle: PlaceID { get }
    var role: RendezvousRole { get }
    /// The keys that a seeker uses, or all that a member recognises; none if nobody is answered. There is one session
    /// key for each discovery key.
    var keys: PlaceKeys { get }

    /// A session is open. Returns the first message to send, if any.
    func opened(_ meeting: RendezvousMeeting) -> [UInt8]?
    /// Handles a message. Its changes to a zone are part of that zone's transaction; the answer is sent after its
    /// commit.
    ///
    /// - Throws: only errors of a store.
    func received(_ message: [UInt8], in meeting: RendezvousMeeting) throws -> RendezvousAnswer
}

package enum RendezvousRole: Sendable {
    /// Sends beacons, and dials and asks the nodes that echo them.
    case seeks
    /// Echoes the beacons of seekers, and answers.
    case answers
}

/// One session of a rendezvous.
package struct RendezvousMeeting: Sendable {
    /// 32 bytes to which signatures bind, so that they are valid in this session only.
    package let handshakeHash: [UInt8]
    /// The address that the seeker dialled, or from which it came.
    package let address: SocketAddress

    package init(handshakeHash: [UInt8], address: SocketAddress) {
        (self.handshakeHash, self.address) = (handshakeHash, address)
    }
}

/// The result of a message. It always ends the meeting.
package struct RendezvousAnswer: Sendable {
    package var message: [UInt8]?
    /// Whether the user should be notified.
    package var isNews: Bool

    package init(message: [UInt8]? = nil, isNews: Bool = false) {
        (self.message, self.isNews) = (message, isNews)
    }
}
