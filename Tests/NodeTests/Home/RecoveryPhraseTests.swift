import NodeCore
import Testing

@testable import Node

@Suite struct RecoveryPhraseTests {
    static let phrase = "legal winner thank year wave sausage worth useful legal winner thank yellow"

    private func complaint(_ text: String) -> String {
        do {
            _ = try RecoveryPhrase.entropy(of: text)
            return ""
        } catch {
            return error.message
        }
    }

    @Test func caseAndBlanksDoNotMatter() throws {
        let entropy = try RecoveryPhrase.entropy(
            of: "  Legal\tWINNER thank\nyear wave sausage worth useful legal winner thank yellow\n")
        #expect(try RecoveryPhrase.words(entropy: entropy).joined(separator: " ") == Self.phrase)
        #expect(try RecoveryPhrase.seed(entropy: entropy).count == 64)
    }

    @Test func complaintsSayWhichWord() {
        #expect(complaint(Self.phrase.replacing("sausage", with: "sausag")).hasPrefix("word 6, `sausag`, is not"))
        #expect(complaint(Self.phrase.replacing("sausage", with: "sausag")).contains("sausage"))
        #expect(complaint("legal winner") == "a recovery phrase has 12 or 24 words, this one has 2")
        #expect(complaint("") == "a recovery phrase has 12 or 24 words, this one has 0")
        #expect(complaint(Self.phrase.replacing("yellow", with: "zoo")).contains("together they are not a phrase"))
        let fifteen = Array(repeating: "abandon", count: 15).joined(separator: " ")
        #expect(complaint(fifteen).contains("12 or 24 words"))
    }
}
