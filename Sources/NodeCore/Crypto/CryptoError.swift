/// Why a cryptographic operation gave no result.
package enum CryptoError: Error, Equatable, Sendable {
    /// The bytes, the associated data, the nonce or the key are not those that were sealed.
    case authenticationFailed
    /// The input is too short to hold a nonce and a tag.
    case tooShort
    /// A key agreement gave zero: the other side's key is a point of small order.
    case weakKey
}
