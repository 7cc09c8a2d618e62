/// xoshiro256** seeded with SplitMix64 (Blackman and Vigna, "Scrambled Linear Pseudorandom Number Generators"): the
/// same numbers from the same seed in every process and on every machine. Never for keys outside tests.
///
/// It is a value: a copy repeats the original's numbers. Give each user its own with `split()`.
package struct SeededRandom: RandomSource {
    private var s0: UInt64
    private var s1: UInt64
    private var s2: UInt64
    private var s3: UInt64

    package init(seed: UInt64) {
        var state = seed
        func splitMix() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
        s0 = splitMix()
        s1 = splitMix()
        s2 = splitMix()
        s3 = splitMix()
    }

    package mutating func next() -> UInt64 {
        let scrambled = s1 &* 5
        let result = (scrambled << 7 | scrambled >> 57) &* 9
        let shifted = s1 << 17
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= shifted
        s3 = s3 << 45 | s3 >> 19
        return result
    }

    /// Fills with the numbers of `next()`, least significant byte first; of the last number as many bytes as needed.
    package mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        var offset = 0
        while offset < buffer.count {
            let count = min(8, buffer.count - offset)
            withUnsafeBytes(of: next().littleEndian) { word in
                UnsafeMutableRawBufferPointer(rebasing: buffer[offset..<offset + count])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: word[..<count]))
            }
            offset += count
        }
    }

    /// A separate generator whose numbers are unrelated to those this one produces afterwards.
    package mutating func split() -> any RandomSource { SeededRandom(seed: next()) }
}
