/// Tells the time to the shells; cores get it as an argument. Shadows the standard library's protocol on purpose.
package protocol Clock: Sendable {
    /// For timers; goes on while the machine sleeps.
    func now() -> MonotonicTime

    /// For dates.
    func wall() -> WallTime
}
