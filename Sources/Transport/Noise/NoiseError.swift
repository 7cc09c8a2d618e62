/// Why a Noise message could not be written or read. None of these is told to the peer.
package enum NoiseError: Error, Equatable, Sendable {
    /// The message ends within a key or a tag.
    case truncated
    /// A tag does not fit: another key, another prologue, or altered bytes.
    case notAuthentic
    /// The peer's key gives the zero result, which would make the secret known to all.
    case weakKey
    /// All 2^64 - 1 nonces of a key are used up.
    case nonceExhausted
}
