package import NodeCore

/// The secret that an account is made from.
package enum AccountSecret: Sendable {
    /// The entropy of a recovery phrase: 16 bytes (12 words) or 32 (24 words). The phrase can be shown again.
    case phrase(entropy: Secret)
    /// A wallet's 32-byte key, from which no phrase can be derived.
    case root(Secret)
}
