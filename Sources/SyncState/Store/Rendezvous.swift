package import NodeCore

/// Where somebody who is not in a zone yet meets a member: a few messages over a session of its own, under keys that
/// both have from elsewhere. What they say is the affair of the zone's kind (docs/PROTOCOL.md, §13.9).
///
/// Confined to the node's thread.
package protocol Rendezvous: AnyObject {
    /// What this node calls it.
    var handle: PlaceID { get }
    var role: RendezvousRole { get }
    /// A seeker's one that it speaks with, or all that a member recognises; none where nobody is answered. A session's
    /// key for each of the beacons'.
    var keys: PlaceKeys { get }
    /// Of this run only, so that a seeker and its answers cannot be recognised by it.
    var staticKey: X25519.KeyPair { get }

    /// A session is there: what is to be said first, if anything.
    func opened(_ meeting: RendezvousMeeting) -> [UInt8]?
    /// A message came. What it changes in a zone is part of that zone's transaction; the answer leaves after its
    /// commit.
    ///
    /// - Throws: only what a store throws.
    func received(_ message: [UInt8], in meeting: RendezvousMeeting) throws -> RendezvousAnswer
}

package enum RendezvousRole: Sendable {
    /// Shows itself by beacons, and asks.
    case seeks
    /// Looks for beacons of seekers, and answers.
    case answers
}

/// One session of a rendezvous.
package struct RendezvousMeeting: Sendable {
    /// 32 bytes: what signatures bind to the session.
    package let handshakeHash: [UInt8]
    /// Where the peer was dialled, or came from.
    package let address: SocketAddress
    package let isInitiator: Bool
    /// Where this node accepts sessions; 0 where it does not.
    package let port: UInt16

    package init(handshakeHash: [UInt8], address: SocketAddress, isInitiator: Bool, port: UInt16) {
        self.handshakeHash = handshakeHash
        self.address = address
        self.isInitiator = isInitiator
        self.port = port
    }
}

/// What follows from a message. After it the meeting is over in any case.
package struct RendezvousAnswer: Sendable {
    package var message: [UInt8]?
    /// The user is to be told of something.
    package var isNews: Bool

    package init(message: [UInt8]? = nil, isNews: Bool = false) {
        self.message = message
        self.isNews = isNews
    }
}
