/// What became of a message that an app gave.
package enum Acceptance: Sendable, Equatable {
    case new
    /// It is held, and nothing about it is new.
    case known
    /// It is held, and now better known.
    case upgraded
    /// It was deleted, here or on another device, and stays so.
    case deleted
}
