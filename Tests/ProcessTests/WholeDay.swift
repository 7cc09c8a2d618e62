#if canImport(Glibc)
    import Glibc
#endif

/// Help for tests that depend on the time. Days begin at 00:00 UTC, as do weeks on some of them; then what was posted
/// today is yesterday's.
enum WholeDay {
    /// Waits for the next day if this one ends soon. For tests that post today's result and look at today's board.
    static func begin(minutes: Int = 3) {
        let left = 86_400 - time(nil) % 86_400
        if left <= minutes * 60 { sleep(UInt32(left + 1)) }
    }

    /// The next full second, in the form for `--since`, once it has come.
    static func nextSecond() -> String {
        var now = time(nil) + 1
        while time(nil) < now { usleep(20_000) }
        var parts = tm()
        gmtime_r(&now, &parts)
        var text = [CChar](repeating: 0, count: 32)
        let length = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return String(decoding: text.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
