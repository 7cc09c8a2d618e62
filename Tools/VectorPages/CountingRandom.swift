package import NodeCore

/// Returns the bytes 0, 1, 2 and so on: nonces and keys that anybody can write down.
package struct CountingRandom: RandomSource {
    private var byte: UInt8

    package init(from byte: UInt8 = 0) { self.byte = byte }

    package mutating func split() -> any RandomSource { self }

    package mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        for place in buffer.indices {
            buffer[place] = byte
            byte &+= 1
        }
    }

    package mutating func next() -> UInt64 { bytes(8).reduce(0) { $0 << 8 | UInt64($1) } }
}
