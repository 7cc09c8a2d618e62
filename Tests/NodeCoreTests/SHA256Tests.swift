import NodeCore
import Testing

/// Known value: the example of FIPS 180-4.
@Suite struct SHA256Tests {
    @Test func knownValues() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(SHA256.hash(Array("abc".utf8)).hex == abc)
        #expect(Array("abc".utf8).withUnsafeBytes { SHA256.hash($0) }.hex == abc)
        let slot = Slot(Bytes16(1, 2))
        #expect([UInt8]([7, 8]).withUnsafeBytes { SHA256.hash(slot, $0) } == SHA256.hash(slot.bytes, [7, 8]))
        #expect(SHA256.hash([1, 2], [3]) == SHA256.hash([1, 2, 3]))
    }
}
