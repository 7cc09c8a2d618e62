import Testing

@testable import NodeCore

@Suite struct Blake2bHasherTests {
    /// Pieces give the hash of the whole, however it is cut.
    @Test(arguments: [0, 1, 127, 128, 129, 1_000, 100_000]) func pieces(size: Int) {
        var random = SeededRandom(seed: UInt64(size))
        let bytes = random.bytes(size)
        let hasher = Blake2bHasher(domain: "kachat test")
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = min(rest.count, Int.random(in: 1...300, using: &random))
            hasher.update(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        #expect(hasher.finish() == Blake2b.hash32(bytes, domain: "kachat test"))
    }
}
