/// Why a feed does not go on from a token.
package enum ChangeError: Error, Equatable {
    /// It is of another store: of another account, of one that was wiped, or of a state that was put back.
    case foreignToken
    /// What came after it is not kept any more.
    case expiredToken
}
