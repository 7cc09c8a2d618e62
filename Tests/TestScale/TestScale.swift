#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// How much the tests do: enough to trust a change (`make test`), or as much as time allows (`make prove`).
package enum TestScale {
    /// KACHAT_PROVE=1, as `make prove` sets it.
    package static let proves = getenv("KACHAT_PROVE").map { String(cString: $0) == "1" } ?? false

    /// The reason why a test that only `make prove` runs is skipped.
    package static let provesOnly = "long, and rarely news: `make prove` runs it"

    /// The seeds of a random test, starting at `first`. In the environment, `N` is their number, and `A..B` is an
    /// inclusive range.
    package static func range(
        _ name: String, usual: UInt64, proof: UInt64, from first: UInt64 = 0
    ) -> Range<UInt64> {
        let numbers = setting(name).split(separator: "..").compactMap { UInt64($0) }
        switch numbers.count {
        case 1: return first..<first + numbers[0]
        case 2 where numbers[0] <= numbers[1]: return numbers[0]..<numbers[1] + 1
        default: return first..<first + (proves ? proof : usual)
        }
    }

    private static func setting(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }

    /// Either of two values, such as amounts of data.
    package static func of<Value>(usual: Value, proof: Value) -> Value { proves ? proof : usual }

    /// The seeds from 1 on, preceded by those that once failed and are always tried, in parts that run concurrently.
    package static func seeds(
        _ name: String, usual: UInt64, proof: UInt64, onceFailed: [UInt64] = []
    ) -> [[UInt64]] {
        let range = range(name, usual: usual, proof: proof, from: 1)
        let others = setting(name).contains("..") ? [] : onceFailed.filter { !range.contains($0) }
        let all = others + Array(range)
        let size = max(1, min(25, all.count / 8))
        return stride(from: 0, to: all.count, by: size).map { Array(all[$0..<min($0 + size, all.count)]) }
    }
}
