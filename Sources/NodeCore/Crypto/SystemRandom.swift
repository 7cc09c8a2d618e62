import CSodium

/// Randomness of the operating system through libsodium; fit for keys.
package struct SystemRandom: RandomSource {
    package init() {}

    package mutating func next() -> UInt64 {
        var value: UInt64 = 0
        withUnsafeMutableBytes(of: &value) { fill($0) }
        return value
    }

    package mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        Sodium.start()
        randombytes_buf(buffer.start, buffer.count)
    }

    package func split() -> any RandomSource { self }
}
