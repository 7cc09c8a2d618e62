/// Why a Noise message could not be written or read. The peer is not told.
package enum NoiseError: Error, Equatable, Sendable {
    /// The message ends within a key or a tag.
    case truncated
    /// Authentication failed: another key, another prologue, or altered bytes.
    case notAuthentic
    /// The peer's key yields an all-zero result, which would make the secret public.
    case weakKey
    /// All 2^64 - 1 nonces of a key are used up.
    case nonceExhausted
}
