/// Whether this side sends the first message of a handshake or the second.
package enum NoiseRole: Sendable {
    case initiator
    case responder
}
