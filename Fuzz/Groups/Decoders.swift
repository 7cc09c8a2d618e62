import LeaderboardShare
import NodeCore

func fuzzToken(_ input: [UInt8]) {
    guard let token = try? GroupToken(text: String(decoding: input, as: UTF8.self)) else { return }
    guard let again = try? GroupToken(text: token.text), again.text == token.text else {
        fatalError("a token is not what it reads as")
    }
}

func fuzzControl(_ input: [UInt8]) {
    _ = ControlRecord.digestOfExternalNames(encoded: input)
    guard let record = try? ControlRecord(encoded: input) else { return }
    guard record.encoded == input else { fatalError("a control record has two encodings") }
}

func fuzzScore(_ input: [UInt8]) {
    if let score = try? DailyScore(encoded: input), score.encoded != input {
        fatalError("a score has two encodings")
    }
    if let name = try? MemberName(encoded: input), name.encoded != input {
        fatalError("a name has two encodings")
    }
}
