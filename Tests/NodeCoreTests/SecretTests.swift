import NodeCore
import Testing

@Suite struct SecretTests {
    @Test func memoryIsWipedWithTheLastOwner() {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 8)
        defer { memory.deallocate() }
        memory.copyBytes(from: [UInt8](repeating: 0xA5, count: 64))
        var owners: [Secret] = [Secret(lent: memory)]
        owners.append(owners[0])
        #expect(owners[0].withUnsafeBytes { $0.allSatisfy { $0 == 0xA5 } })
        owners.removeFirst()
        #expect(memory.allSatisfy { $0 == 0xA5 })
        owners.removeFirst()
        #expect(memory.allSatisfy { $0 == 0 })
    }

    @Test func nothingIsPrinted() {
        let secret = Secret(bytes: [1, 2, 3, 0xFE])
        struct Holder {
            let secret: Secret
        }
        var dumped = ""
        dump(Holder(secret: secret), to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), "\(Holder(secret: secret))", dumped] {
            #expect(text.contains("Secret(4 bytes)"))
            #expect(!text.contains("254"))
            #expect(!text.lowercased().contains("fe,"))
        }
    }

    @Test func bytesArriveWhole() throws {
        let shared: [UInt8] = [1, 2, 3]
        let secret = Secret(bytes: shared)
        #expect(shared == [1, 2, 3], "an array that somebody else holds stays as it is")
        #expect(secret.count == 3)
        #expect(secret.withUnsafeBytes { Array($0) } == [1, 2, 3])
        #expect(secret.slice(1..<3).withUnsafeBytes { Array($0) } == [2, 3])
        #expect(Secret(bytes: []).count == 0)
        struct Refused: Error {}
        #expect(throws: Refused.self) { try Secret(count: 4) { _ throws(Refused) in throw Refused() } }
    }

    @Test func comparisons() {
        func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
            ConstantTime.equals(Secret(bytes: left), Secret(bytes: right))
        }
        #expect(areEqual([1, 2], [1, 2]) && areEqual([], []))
        #expect(!areEqual([1, 2], [1, 3]) && !areEqual([1, 2], [1, 2, 3]))
        #expect(ConstantTime.equals(Bytes16(1, 2), Bytes16(1, 2)))
        #expect(!ConstantTime.equals(Bytes16(1, 2), Bytes16(1, 3)))
    }
}
