import NodeCore

/// Counts failed authentications by address, and slows down who has too many: after 30 within a minute, further ones of
/// that address are not looked at until the minute is over.
///
/// A good token is taken all the same: guesses among 2^256 gain nothing, and other programs share the address.
struct FailureMeter {
    private struct Window {
        var start: MonotonicTime
        var count: Int
    }

    private var windows: [SocketAddress: Window] = [:]

    /// How long the address has to wait; nil where it may go on.
    package mutating func note(_ address: SocketAddress, now: MonotonicTime) -> Duration? {
        let address = address.with(port: 0)
        if let window = windows[address], now - window.start >= Limits.failureWindow { windows[address] = nil }
        if windows[address] == nil, windows.count >= Limits.failingAddresses { dropOldest() }
        var window = windows[address] ?? Window(start: now, count: 0)
        window.count += 1
        windows[address] = window
        return window.count > Limits.failuresInWindow ? window.start + Limits.failureWindow - now : nil
    }

    private mutating func dropOldest() {
        let oldest = windows.min { ($0.value.start, $0.key) < ($1.value.start, $1.key) }
        if let oldest { windows[oldest.key] = nil }
    }
}
