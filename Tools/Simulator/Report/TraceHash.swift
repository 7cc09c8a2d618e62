import NodeCore

/// A running hash of all events, in order: two runs with the same value did the same.
struct TraceHash {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func mix(_ number: UInt64) {
        // The finalizer of SplitMix64 over the sum: each bit of the past affects each bit of the value.
        value = (value ^ number) &+ 0x9e37_79b9_7f4a_7c15
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        value ^= value >> 31
    }

    mutating func mix(_ bytes: [UInt8]) {
        let hash = Blake2b.hash16(bytes)
        mix(hash.w0)
        mix(UInt64(bytes.count))
    }

    mutating func mix(_ text: String) {
        mix([UInt8](text.utf8))
    }

    /// 16 digits.
    var hex: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
