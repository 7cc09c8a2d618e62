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
    /// The form is right, and the content cannot be.
    case notValid
    /// So many tickets cannot be cut off; with the number that there are.
    case noSuchSplit(of: Int)
}

extension TokenError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notAToken: "this is not an invitation: one begins with \"kachat:\""
        case .typingError(let group, let count) where group == count:
            "a typing error in the last of \(count) groups, or the end is missing: compare it with the original"
        case .typingError(let group, let count):
            "a typing error in group \(group) of \(count), between the hyphens: compare it with the original"
        case .incomplete: "some characters are missing or in the wrong order: copy the whole invitation again"
        case .otherVersion: "this invitation was made by a later version: update kachat-node"
        case .notValid: "not a valid invitation"
        case .noSuchSplit(1): "this invitation is for one person: there is nothing to cut off"
        case .noSuchSplit(let count):
            "this invitation is for \(count) people: so many cannot be cut off; try \(Self.powerOfTwo(below: count))"
        }
    }

    /// One node of the tree covers so many tickets, and another one the rest.
    private static func powerOfTwo(below count: Int) -> Int {
        1 << (Int.bitWidth - 1 - (count - 1).leadingZeroBitCount)
    }
}
