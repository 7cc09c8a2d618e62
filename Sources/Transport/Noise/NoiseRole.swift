/// Who sends the first message of a handshake.
package enum NoiseRole: Sendable {
    case initiator
    case responder
}
