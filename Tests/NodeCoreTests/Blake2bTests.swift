import NodeCore
import Testing

/// Known values from Python's hashlib.
@Suite struct Blake2bTests {
    @Test func knownValues() throws {
        let abc = Array("abc".utf8)
        #expect(Blake2b.hash32(abc).hex == "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319")
        #expect(Blake2b.hash16(abc).hex == "cf4ab791c62b8d2b2109c90275287816")
        let empty = "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8"
        #expect(Blake2b.hash32([]).hex == empty)
        #expect(Blake2b.hash32().hex == empty)
        #expect(Blake2b.hash32(UnsafeRawBufferPointer(start: nil, count: 0)).hex == empty)
        let key = Secret(bytes: Array(0..<32))
        let keyed = "226900e3d66c0bd7da5f5538dd9e2371e18ec985ee9822588f14831179bc7cce"
        let hello = Array("hello world".utf8)
        #expect(Blake2b.hash32(hello, key: key, domain: "kachat.test").hex == keyed)
        #expect(hello.withUnsafeBytes { Blake2b.hash32($0, key: key, domain: "kachat.test") }.hex == keyed)
        #expect(Blake2b.hash16(hello, domain: "kachat.test.full").hex == "68c662e7bef1c06891975b8ea51af2c1")
        let long = (0..<1_000).map { UInt8($0 % 251) }
        let longHash = "c3159507ea5f870ec11f0b2192472e3eed43ceab71f09c782ffd52c64601eab1"
        let longKey = Secret(bytes: Array(0..<64))
        #expect(Blake2b.hash32(long, key: longKey).hex == longHash)
    }

    @Test func partsAreJoined() {
        let key = Secret(bytes: Array(0..<32))
        let whole = Blake2b.hash32([1, 2, 3, 4, 5], key: key, domain: "d")
        #expect(Blake2b.hash32([1, 2], [], [3, 4, 5], key: key, domain: "d") == whole)
        #expect(Blake2b.hash32([1, 2], [3, 4, 6], key: key, domain: "d") != whole)
        #expect(Blake2b.hash32([1, 2], [3, 4, 5], key: key, domain: "e") != whole)
        #expect(Blake2b.hash32([1, 2], [3, 4, 5], domain: "d") != whole)
        #expect(Blake2b.hash16([1, 2], [3], domain: "d") == Blake2b.hash16([1, 2, 3], domain: "d"))
    }
}
