import NodeCore
import Testing

@testable import Node

@Suite struct WalletKeyTests {
    private func isTaken(_ text: String) -> Bool { (try? WalletKey.key(of: text)) != nil }

    @Test func aKeyIsANumberBelowTheOrderOfItsGroup() throws {
        let upper = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd03641"
        #expect(isTaken(String(repeating: "0", count: 63) + "1"))
        #expect(isTaken(" \(upper)40\n"))
        #expect(!isTaken(upper + "41"))
        #expect(!isTaken(String(repeating: "f", count: 64)))
        #expect(!isTaken(String(repeating: "0", count: 64)))
        #expect(try WalletKey.key(of: upper.uppercased() + "40").count == 32)
    }

    @Test func itHas64Digits() {
        for text in ["", "7f", String(repeating: "7f", count: 33), String(repeating: "7", count: 63) + "g"] {
            #expect(!isTaken(text))
        }
    }
}
