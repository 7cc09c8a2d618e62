import NodeCore

/// The codes of links that let a browser in: each one once, and for a minute. Kept in memory, as hashes.
struct LoginCodes {
    private struct Entry {
        let hash: Bytes32
        let until: MonotonicTime
        let page: String?
    }

    private var entries: [Entry] = []
    /// Pages whose codes let nobody in any more.
    private var stale: [String] = []

    /// A new code. Of too many the oldest goes.
    ///
    /// - Parameter page: the file that takes a browser there.
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

    /// Whether the code is one that was made and not used, within its time. Then it is used.
    package mutating func take(_ code: String, now: MonotonicTime) -> Bool {
        dropOld(now)
        let hash = Self.hash(of: code)
        let count = entries.count
        drop { ConstantTime.equals($0.hash, hash) }
        return entries.count < count
    }

    /// When there are pages to remove; nil while there is none.
    package var deadline: MonotonicTime? {
        stale.isEmpty ? entries.lazy.filter { $0.page != nil }.map(\.until).min() : .zero
    }

    /// The pages that are to be removed now. Each is given once.
    mutating func takeStale(_ now: MonotonicTime) -> [String] {
        dropOld(now)
        defer { stale = [] }
        return stale
    }

    /// No code lets in any more.
    mutating func dropAll() { drop { _ in true } }

    private mutating func dropOld(_ now: MonotonicTime) { drop { $0.until <= now } }

    private mutating func drop(_ isOver: (Entry) -> Bool) {
        stale += entries.filter(isOver).compactMap(\.page)
        entries.removeAll(where: isOver)
    }

    private static func hash(of code: String) -> Bytes32 {
        Blake2b.hash32(Array(code.utf8), domain: "kachat login")
    }
}
