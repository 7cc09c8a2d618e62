/// What presence asks of its surroundings.
package enum PresenceAction: Hashable, Sendable {
    /// Send these bytes to the group and broadcast addresses of that link, from its address.
    case send([UInt8], PresenceLink)
    /// A beacon of a place of ours was heard.
    case sighted(PeerSighting)
}
