import NodeCore

/// The codes of links that let a browser in: each one once, and for a minute. Kept in memory, as hashes.
struct LoginCodes {
    private struct Entry {
        let hash: Bytes32
        let until: MonotonicTime
    }

    private var entries: [Entry] = []

    /// A new code. Of too many the oldest goes.
    mutating func make(now: MonotonicTime, random: inout some RandomSource) -> String {
        let code = DashboardSecret.text(random: &random)
        dropOld(now)
        if entries.count >= Limits.loginCodes { entries.removeFirst() }
        entries.append(Entry(hash: Self.hash(of: code), until: now + Limits.loginCodeTime))
        return code
    }

    /// Whether the code is one that was made and not used, within its time. Then it is used.
    mutating func take(_ code: String, now: MonotonicTime) -> Bool {
        dropOld(now)
        let hash = Self.hash(of: code)
        let count = entries.count
        entries.removeAll { ConstantTime.equals($0.hash, hash) }
        return entries.count < count
    }

    private mutating func dropOld(_ now: MonotonicTime) { entries.removeAll { $0.until <= now } }

    private static func hash(of code: String) -> Bytes32 {
        Blake2b.hash32(Array(code.utf8), domain: "kachat login")
    }
}
