#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// How much the tests do: enough to trust a change (`make test`), or all that there is time for (`make prove`).
package enum TestScale {
    /// KACHAT_PROVE=1, as `make prove` sets it.
    package static let proves = getenv("KACHAT_PROVE").map { String(cString: $0) == "1" } ?? false

    /// Why a test that only `make prove` runs is skipped.
    package static let provesOnly = "long, and rarely news: `make prove` runs it"

    /// How many of something random are tried. Who names a number in the environment gets that many.
    package static func count(_ name: String, usual: UInt64, proof: UInt64) -> UInt64 {
        if let text = getenv(name), let number = UInt64(String(cString: text)) { return number }
        return proves ? proof : usual
    }

    /// Either of two, such as amounts of data.
    package static func of<Value>(usual: Value, proof: Value) -> Value { proves ? proof : usual }

    /// The seeds from 1 on, and before them those that once failed and are tried whatever the count is; in parts that
    /// run at the same time.
    package static func seeds(
        _ name: String, usual: UInt64, proof: UInt64, onceFailed: [UInt64] = []
    ) -> [[UInt64]] {
        let count = count(name, usual: usual, proof: proof)
        let all = onceFailed.filter { $0 > count } + Array(1..<count + 1)
        let size = max(1, min(25, all.count / 8))
        return stride(from: 0, to: all.count, by: size).map { Array(all[$0..<min($0 + size, all.count)]) }
    }
}
