/// Tells shells the time; cores get it as an argument. Deliberately shadows the standard library's protocol.
package protocol Clock: Sendable {
    /// The clock for timers. It keeps running while the machine sleeps.
    func now() -> MonotonicTime

    /// The clock for dates.
    func wall() -> WallTime
}
