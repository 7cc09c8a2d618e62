import NodeCore
import Testing

/// Known values of the paper's reference code.
@Suite struct SipHashTests {
    @Test func knownValues() throws {
        let key = try #require(Bytes16(bytes: Array(0..<16)))
        #expect(SipHash.hash64([], key: key) == 0x726F_DB47_DD0E_0E31)
        #expect(SipHash.hash64(Array(0..<15), key: key) == 0xA129_CA61_49BE_45E5)
        let tx = TxID(Bytes32(1, 2, 3, 4))
        #expect(SipHash.hash64(tx, key: key) == SipHash.hash64(tx.bytes, key: key))
        #expect(SipHash.hash64(tx, key: .zero) != SipHash.hash64(tx, key: key))
    }
}
