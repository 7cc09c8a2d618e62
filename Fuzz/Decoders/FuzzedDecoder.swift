import LeaderboardShare
import NodeCore

/// The decoders that a fuzzer tries. None may trap, and what is read is written as it was.
package enum FuzzedDecoder: UInt8, CaseIterable {
    case token
    case control
    case score

    /// The first byte says which decoder reads the rest.
    /// - Returns: what is wrong, if anything.
    package static func fault(in input: some Collection<UInt8>) -> String? {
        guard let first = input.first, let decoder = Self(rawValue: first % UInt8(allCases.count)) else { return nil }
        let bytes = Array(input.dropFirst())
        return switch decoder {
        case .token: token(bytes)
        case .control: control(bytes)
        case .score: score(bytes)
        }
    }

    private static func token(_ input: [UInt8]) -> String? {
        guard let token = try? GroupToken(text: String(decoding: input, as: UTF8.self)) else { return nil }
        let again = try? GroupToken(text: token.text)
        return again?.text == token.text ? nil : "a token is not what it reads as"
    }

    private static func control(_ input: [UInt8]) -> String? {
        _ = ControlRecord.digestOfExternalNames(encoded: input)
        guard let record = try? ControlRecord(encoded: input) else { return nil }
        return record.encoded == input ? nil : "a control record has two encodings"
    }

    private static func score(_ input: [UInt8]) -> String? {
        if let score = try? DailyScore(encoded: input), score.encoded != input { return "a score has two encodings" }
        if let name = try? MemberName(encoded: input), name.encoded != input { return "a name has two encodings" }
        return nil
    }
}
