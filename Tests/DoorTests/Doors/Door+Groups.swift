import LeaderboardShare
import Ledger
import NodeCore

/// Groups: tokens, control records, the talk of joiner and member, results.
extension Door {
    static func token(_ input: [UInt8]) -> String? {
        guard let token = try? GroupToken(text: String(decoding: input, as: UTF8.self)) else { return nil }
        for ticket in token.tickets where token.key(of: ticket) == nil { return "a ticket has no key" }
        if let (cut, rest) = try? token.split(people: 1), cut.tickets.count + rest.tickets.count != token.tickets.count
        {
            return "a split loses tickets"
        }
        let again = try? GroupToken(text: token.text)
        return again?.text == token.text ? nil : "a token is not what it reads as"
    }

    /// Without its signatures, which hardly any changed record has.
    static func ledger(_ input: [UInt8]) -> String? {
        guard let record = try? LedgerRecord(encoded: input, verified: true) else { return nil }
        return record.encoded == input ? nil : "a control record has two encodings"
    }

    static func joining(_ input: [UInt8]) -> String? {
        if let message = try? JoinMessage(encoded: input), message.encoded != input {
            return "a message of joiner and member has two encodings"
        }
        if let pending = try? PendingJoin(encoded: input), pending.encoded != input {
            return "a pending join has two encodings"
        }
        if let title = GroupTitle(encoded: input), title.encoded != input { return "a title has two encodings" }
        return nil
    }

    static func score(_ input: [UInt8]) -> String? {
        if let score = try? DailyScore(encoded: input), score.encoded != input { return "a score has two encodings" }
        if let name = try? MemberName(encoded: input), name.encoded != input { return "a name has two encodings" }
        return nil
    }
}
