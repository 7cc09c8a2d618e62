import NodeCore

/// The codes of links that sign a browser in: each works once, for a minute. Kept in memory, as hashes.
struct LoginCodes {
    private struct Entry {
        let hash: Bytes32
        let until: MonotonicTime
        let page: String?
    }

    private var entries: [Entry] = []
    /// Pages with invalid codes.
    private var stale: [String] = []

    /// A new code. Drops the oldest one if there are too many.
    ///
    /// - Parameter page: the file that redirects a browser to the link.
    package mutating func make(now: MonotonicTime, random: inout some RandomSource, page: String? = nil) -> String {
        let code = DashboardSecret.text(random: &random)
        dropOld(now)
        if entries.count >= Limits.loginCodes {
            let oldest = entries[0].hash
            drop { $0.hash == oldest }
        }
        entries.append(Entry(hash: Self.hash(of: code), until: now + Limits.loginCodeTime, page: page))
        return code
    }

    /// Uses up the code. True if it was valid.
    package mutating func take(_ code: String, now: MonotonicTime) -> Bool {
        dropOld(now)
        let hash = Self.hash(of: code)
        let count = entries.count
        drop { ConstantTime.equals($0.hash, hash) }
        return entries.count < count
    }

    /// The time when a page is due for removal; nil if there is none.
    package var deadline: MonotonicTime? {
        stale.isEmpty ? entries.lazy.filter { $0.page != nil }.map(\.until).min() : .zero
    }

    /// The pages to remove now. Each is given once.
    mutating func takeStale(_ now: MonotonicTime) -> [String] {
        dropOld(now)
        defer { stale = [] }
        return stale
    }

    mutating func dropAll() { drop { _ in true } }

    private mutating func dropOld(_ now: MonotonicTime) { drop { $0.until <= now } }

    private mutating func drop(_ isOver: (Entry) -> Bool) {
        stale += entries.filter(isOver).compactMap(\.page)
        entries.removeAll(where: isOver)
    }

    private static func hash(of code: String) -> Bytes32 { Blake2b.hash32(Array(code.utf8), domain: "kachat login") }
}
