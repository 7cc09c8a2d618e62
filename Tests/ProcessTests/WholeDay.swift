#if canImport(Glibc)
    import Glibc
#endif

/// Days begin at 00:00 UTC, and weeks on some of them: what is posted today is yesterday's then.
enum WholeDay {
    /// Waits for the next day where this one ends soon. For tests that post today's result and look at today's board.
    static func begin(minutes: Int = 3) {
        let left = 86_400 - time(nil) % 86_400
        if left <= minutes * 60 { sleep(UInt32(left + 1)) }
    }
}
