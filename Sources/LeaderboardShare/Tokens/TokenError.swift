/// Why a text is no token that can be used, in the words of what to do about it.
package enum TokenError: Error, Equatable, Sendable {
    /// Does not begin with `kachat:`, or is far too long or short to be one.
    case notAToken
    /// A typing error in this group of characters, counted from 1; `of` groups in all.
    case typingError(group: Int, of: Int)
    /// The characters are right one by one, but some are missing or several groups are wrong.
    case incomplete
    /// Made by a later version: update kachat-node.
    case otherVersion(UInt8)
    /// Rights were widened, or the chain does not verify. Nobody is contacted.
    case notValid
    /// The joiner's clock says that it expired.
    case expired(atSeconds: UInt64)
    /// Its holder can admit nobody with it: no uses are left in what it allows.
    case usedUp
    /// What was asked for is more than the token gives.
    case widens
    /// It was narrowed as often as a chain has links.
    case chainTooLong
    /// More address hints, more uses or a later date than a token carries.
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
