import FuzzedDecoders
import NodeCore
import TestScale
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The kept inputs of `make fuzz`, and some made of them, through the decoders of tokens, control records and scores.
@Suite struct TokenFuzzTests {
    private static let folder =
        "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/Fuzz/Groups/Corpus/"
    static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()

    @Test func theCorpusIsThere() { #expect(Self.names.count >= 5) }

    @Test(arguments: names) func nothingTrapsOrHasTwoEncodings(name: String) throws {
        let kept = Array(try #require(FileManager.default.contents(atPath: Self.folder + name)))
        #expect(FuzzedDecoder.fault(in: kept) == nil)
        var random = SeededRandom(seed: UInt64(kept.count))
        for _ in 0..<TestScale.of(usual: 2_000, proof: 200_000) {
            var input = kept
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 1..<max(2, input.count), using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0 where place < input.count: input[place] = UInt8.random(in: 0...255, using: &random)
                case 1 where place < input.count: input[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 2: input.removeSubrange(place...)
                default: input.insert(UInt8.random(in: 0...255, using: &random), at: min(place, input.count))
                }
                if input.count < 2 { input = kept }
            }
            if let fault = FuzzedDecoder.fault(in: input) { Issue.record("\(fault): \(input)") }
        }
    }
}
