import Testing

@testable import NodeCore

@Suite struct MnemonicTests {
    @Test func wordListIsTheOfficialOne() throws {
        let file = Array((BIP39Words.all.joined(separator: "\n") + "\n").utf8)
        #expect(SHA256.hash(file).hex == "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda")
        #expect(file == Array(try VectorFile.data("bip39/english.txt")))
        for (index, word) in BIP39Words.all.enumerated() { #expect(BIP39.index(of: word) == index) }
        for other in ["", "a", "zzz", "zoos", "Zoo", "abandonn"] { #expect(BIP39.index(of: other) == nil) }
    }

    @Test func trezorVectors() throws {
        let file: [String: [[String]]] = try VectorFile.json("bip39/trezor-vectors-english.json")
        let vectors = try #require(file["english"])
        #expect(vectors.count == 24)
        for vector in vectors {
            let entropy = try hex(vector[0])
            let made = try Mnemonic(entropy: Secret(bytes: entropy))
            #expect(made.phrase == vector[1])
            #expect(made.words.count == entropy.count / 4 * 3)
            let read = try Mnemonic(phrase: vector[1])
            #expect(read.entropy.withUnsafeBytes { Array($0) } == entropy)
            #expect(read.seed(passphrase: "TREZOR").withUnsafeBytes { Hex.encode($0) } == vector[2])
        }
        let plain = try Mnemonic(phrase: vectors[0][1])
        #expect(!ConstantTime.equals(plain.seed(), plain.seed(passphrase: "TREZOR")))
    }

    private let phrase = "legal winner thank year wave sausage worth useful legal winner thank yellow"

    @Test func caseAndWhiteSpaceDoNotMatter() throws {
        let typed = "  LEGAL\tWinner\nthank  year wave\u{3000}sausage worth useful\r\nlegal winner thank yellow \n"
        #expect(try Mnemonic(phrase: typed).phrase == phrase)
    }

    @Test(arguments: [0, 1, 11, 13, 14, 16, 23, 25, 48])
    func otherWordCountsAreRefused(_ count: Int) {
        let words = Array(repeating: "abandon", count: count).joined(separator: " ")
        #expect(throws: MnemonicError.wrongWordCount(count)) { try Mnemonic(phrase: words) }
    }

    @Test(arguments: [0, 15, 17, 31, 33])
    func otherEntropySizesAreRefused(_ count: Int) {
        #expect(throws: MnemonicError.wrongEntropySize(count)) {
            try Mnemonic(entropy: Secret(bytes: [UInt8](repeating: 0, count: count)))
        }
    }

    @Test func unknownWordsAreNamedByPlaceWithSuggestions() {
        let cases: [(typed: String, first: String?)] = [
            ("yaer", "year"), ("yeer", "year"), ("yera", "year"), ("sausge", "sausage"), ("aband", "abandon"),
            ("thanks", "thank"), ("qqqqqq", nil), ("xyzzyplughxyzzyplugh", nil), ("jähr", nil),
        ]
        for (typed, first) in cases {
            let wrong = phrase.replacing("year", with: typed)
            do throws(MnemonicError) {
                _ = try Mnemonic(phrase: wrong)
                Issue.record("\(typed) was taken")
            } catch {
                guard case .unknownWord(let index, let nearest) = error else {
                    Issue.record("\(error)")
                    continue
                }
                #expect(index == 3)
                #expect(nearest.count <= 3)
                if let first { #expect(nearest.contains(first), "\(typed): \(nearest)") }
                if typed == "aband" || typed == "sausge" { #expect(nearest.first == first) }
                for word in nearest { #expect(BIP39.index(of: word) != nil) }
            }
        }
        #expect(BIP39.nearest(to: "acc") == ["access", "accident", "account"], "beginnings come before look-alikes")
        #expect(BIP39.nearest(to: "qqqqqq").isEmpty)
        #expect(BIP39.nearest(to: String(repeating: "a", count: 100_000)).isEmpty)
    }

    @Test func wrongChecksumsAreRefused() throws {
        let words = phrase.split(separator: " ").map(String.init)
        let swapped = ([words[1], words[0]] + words[2...]).joined(separator: " ")
        #expect(throws: MnemonicError.wrongChecksum) { try Mnemonic(phrase: swapped) }
        // Of the 2,048 last words of a phrase of 12, only those with the right four bits are accepted.
        let beginning = words.dropLast().joined(separator: " ")
        let taken = BIP39Words.all.count { (try? Mnemonic(phrase: "\(beginning) \($0)")) != nil }
        #expect(taken == 128)
    }

    @Test(arguments: BIP39.wordCounts)
    func newPhrasesComeBack(_ count: Int) throws {
        var random: any RandomSource = SeededRandom(seed: UInt64(count))
        for _ in 0..<50 {
            let made = try Mnemonic(entropy: Secret(random: &random, count: count / 3 * 4))
            #expect(made.words.count == count)
            let read = try Mnemonic(phrase: made.phrase)
            #expect(ConstantTime.equals(read.entropy, made.entropy))
        }
        #expect("\(try Mnemonic(entropy: Secret(random: &random, count: count / 3 * 4)))".contains("Secret("))
    }
}
