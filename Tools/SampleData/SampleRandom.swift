/// SplitMix64 (Steele, Lea, Flood 2014): small, and the same stream in every process.
package struct SampleRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// From 0 up to, but not including, 1.
    mutating func unit() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    mutating func below(_ bound: Int) -> Int {
        Int.random(in: 0..<bound, using: &self)
    }
}
