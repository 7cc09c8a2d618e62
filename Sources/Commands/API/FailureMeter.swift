import NodeCore

/// Counts failed authentications by address: after 30 within a minute, further failures of that address are refused
/// until the minute is over.
///
/// Valid tokens are still accepted: guessing among 2^256 is hopeless, and other programs share the address.
struct FailureMeter {
    private struct Window {
        var start: MonotonicTime
        var count: Int
    }

    private var windows: [SocketAddress: Window] = [:]

    /// The address's waiting time; nil if it need not wait.
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
