import NodeCore
import Testing

/// Known values from the paper's reference code.
@Suite struct SipHashTests {
    @Test func knownValues() throws {
        let key = try #require(Bytes16(bytes: Array(0..<16)))
        #expect(SipHash.hash64([], key: key) == 0x726F_DB47_DD0E_0E31)
        #expect(SipHash.hash64(Array(0..<15), key: key) == 0xA129_CA61_49BE_45E5)
    }
}
