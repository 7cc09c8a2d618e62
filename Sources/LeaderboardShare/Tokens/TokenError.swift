/// The reasons that a text is not a usable token, worded as advice.
package enum TokenError: Error, Equatable, Sendable {
    /// Does not begin with `kachat:`, or is far too long or short for a token.
    case notAToken
    /// A typing error in this group of characters, counted from 1; `of` is the number of groups.
    case typingError(group: Int, of: Int)
    /// The characters are valid one by one, but some are missing or several groups are wrong.
    case incomplete
    /// Made by a newer version: update kachat-node.
    case otherVersion(UInt8)
    /// Rights were widened, or the chain does not verify. Nobody is contacted.
    case notValid
    /// It has expired by the joiner's clock.
    case expired(atSeconds: UInt64)
    /// It has no uses left, so it admits nobody.
    case usedUp
    /// The request exceeds the token's rights.
    case widens
    /// The chain already has the maximum number of links.
    case chainTooLong
    /// More address hints, more uses or a later date than a token can hold.
    case tooLong
}

extension TokenError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notAToken: "this is not an invitation: one begins with \"kachat:\""
        case .typingError(let group, let count):
            "a typing error in group \(group) of \(count), between the hyphens: compare it with the original"
        case .incomplete: "some characters are missing or in the wrong order: copy the whole invitation again"
        case .otherVersion: "this invitation was made by a later version: update kachat-node"
        case .notValid: "not a valid invitation"
        case .expired: "this invitation has expired: ask for a new one"
        case .usedUp: "this invitation is used up: ask for a new one"
        case .widens: "an invitation can be narrowed, never widened"
        case .chainTooLong: "this invitation was passed on too often: ask its issuer for a new one"
        case .tooLong: "too many addresses or uses, or too late a date, for one invitation"
        }
    }
}
