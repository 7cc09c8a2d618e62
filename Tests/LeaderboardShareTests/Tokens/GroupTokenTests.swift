import Ledger
import NodeCore
import TestScale
import Testing

@testable import LeaderboardShare

@Suite("Tokens") struct GroupTokenTests {
    private static let hints = [
        SocketAddress(ipv4: 0xC0A8_0001, port: 65_535), SocketAddress(ipv6: Bytes16(1, 2), port: 65_535),
    ]

    private func token(
        _ source: inout SeededRandom, title: String = "Family", people: Int = 1, hints: [SocketAddress] = []
    ) -> GroupToken {
        var random: any RandomSource = source.split()
        return GroupToken(
            group: source.identifier(), invite: source.identifier(), people: people, door: source.bytes(16),
            title: title, secret: TicketNode(covering: people, random: &random), hints: hints)
    }

    @Test("Tokens come back as they were written; case, spaces and hyphens do not matter")
    func roundTrip() throws {
        var random = SeededRandom(seed: 1)
        let hints = [SocketAddress(ipv4: 0x7F00_0001, port: 4_711)]
        let made = token(&random, title: "Großmutters Spielrunde am Sonntag", people: 5, hints: hints)
        #expect(made.title.utf8.count <= 24 && made.title.hasPrefix("Großmutters"))
        let spaced = made.text.map { "\($0) " }.joined()
        let forms = [made.text, made.text.uppercased(), spaced, made.text.replacing("-", with: "\n")]
        for form in forms {
            let read = try GroupToken(text: form)
            #expect(read.group == made.group && read.invite == made.invite && read.title == made.title)
            #expect(read.people == 5 && read.tickets == Array(0..<5) && read.hints == hints)
            #expect(read.door == made.door && read.text == made.text)
            for ticket in read.tickets { #expect(read.key(of: ticket)?.publicKey == made.key(of: ticket)?.publicKey) }
            #expect(read.key(of: 8) == nil)
        }
    }

    @Test(
        "Any token fits 300 characters: what does not fit is left out of the addresses",
        arguments: [1, 2, 3, 5, 13, 33, 64])
    func size(people: Int) throws {
        var random = SeededRandom(seed: UInt64(people))
        let title = String(repeating: "x", count: 80)
        var tokens = [token(&random, title: title, people: people, hints: Self.hints + Self.hints)]
        for count in [1, 4, 7, 12, 32, 40] {
            guard let (cut, rest) = try? tokens[0].split(people: count) else { continue }
            tokens += [cut, rest]
        }
        for token in tokens {
            #expect(token.text.count <= 300 && token.encoded.count <= Limits.tokenBytes)
            let read = try GroupToken(text: token.text)
            #expect(read.text == token.text && read.tickets == token.tickets)
        }
        // With one node and a short title, there is room for one address of each kind.
        #expect(token(&random, people: people, hints: Self.hints).hints == Self.hints)
    }

    @Test("A text that was cut off is said to be that, wherever no token can end")
    func cutOff() throws {
        var random = SeededRandom(seed: 1)
        let text = Array(token(&random, title: "").text.utf8)
        for length in TokenText.prefix.utf8.count + 1..<text.count {
            #expect(Self.error(Array(text.prefix(length))) == .incomplete, "\(length)")
        }
    }

    @Test(
        "Every wrong character and every swap of neighbours is found, and where",
        arguments: 0..<TestScale.of(usual: 1, proof: 3) as Range<UInt64>)
    func typingErrors(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let text = Array(token(&random).text.utf8)
        let start = TokenText.prefix.utf8.count
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
        for index in start..<text.count where text[index] != UInt8(ascii: "-") {
            let group = (index - start) / (TokenText.groupCharacters + 1) + 1
            for letter in alphabet where letter != text[index] {
                var wrong = text
                wrong[index] = letter
                guard case .typingError(let place, _)? = Self.error(wrong) else {
                    Issue.record("\(index): a wrong character was not found")
                    return
                }
                #expect(place == group)
            }
        }
        for index in start..<text.count - 1 where text[index] != text[index + 1] {
            var wrong = text
            wrong.swapAt(index, index + 1)
            guard case .typingError(let place, _)? = Self.error(wrong) else {
                Issue.record("\(index): a swap was not found")
                return
            }
            let group = (index - start) / (TokenText.groupCharacters + 1) + 1
            #expect(abs(place - group) <= 1)
        }
    }

    private static func error(_ text: [UInt8]) -> TokenError? {
        do {
            _ = try TokenText.decode(String(decoding: text, as: UTF8.self))
            return nil
        } catch {
            return error
        }
    }

    @Test("Any two swapped characters of a group, missing and doubled ones, and swapped groups are found")
    func largerErrors() throws {
        var random = SeededRandom(seed: 7)
        let text = token(&random).text
        let groups = text.dropFirst(TokenText.prefix.count).split(separator: "-").map(String.init)
        func read(_ groups: [String], _ separator: String = "-") -> TokenError? {
            Self.error(Array((TokenText.prefix + groups.joined(separator: separator)).utf8))
        }
        #expect(read(groups) == nil)
        for (number, group) in groups.enumerated() {
            let letters = Array(group)
            for one in letters.indices {
                for other in letters.indices where other > one && letters[one] != letters[other] {
                    var wrong = letters
                    wrong.swapAt(one, other)
                    var all = groups
                    all[number] = String(wrong)
                    #expect(read(all) != nil)
                }
            }
            var missing = groups
            missing[number] = String(group.dropLast())
            #expect(throws: TokenError.self) {
                try GroupToken(text: TokenText.prefix + missing.joined(separator: "-"))
            }
            #expect(throws: TokenError.self) { try GroupToken(text: TokenText.prefix + missing.joined()) }
            if number > 0 {
                var moved = groups
                moved.swapAt(number, number - 1)
                #expect(throws: TokenError.self) {
                    try GroupToken(text: TokenText.prefix + moved.joined(separator: "-"))
                }
            }
        }
        #expect(throws: TokenError.self) {
            try GroupToken(text: TokenText.prefix + groups.dropLast().joined(separator: "-"))
        }
    }

    // MARK: Splits

    @Test("A split gives each half the keys of its tickets and of no others", arguments: [1, 2, 3, 8, 13, 33])
    func splits(people: Int) throws {
        var random = SeededRandom(seed: UInt64(people))
        let whole = token(&random, people: people)
        let keys = try whole.tickets.map { try #require(whole.key(of: $0)).publicKey }
        #expect(whole.tickets == Array(0..<people) && Set(keys).count == people)
        var splits = 0
        for count in 1..<max(1, people) {
            guard let (cut, rest) = try? whole.split(people: count) else { continue }
            splits += 1
            #expect(cut.tickets.count == count && rest.tickets.count == people - count)
            #expect(Set(cut.tickets).isDisjoint(with: rest.tickets))
            for part in [cut, rest] {
                #expect(part.group == whole.group && part.invite == whole.invite && part.people == people)
                for ticket in 0..<64 {
                    let key = part.key(of: ticket)?.publicKey
                    #expect(!part.tickets.contains(ticket) || key == keys[ticket])
                    // A node may have leaves beyond the invitation that are no tickets.
                    #expect(part.tickets.contains(ticket) || ticket >= people || key == nil)
                }
            }
        }
        #expect(people == 1 ? splits == 0 : splits > 0)
    }

    @Test("One may be cut off again and again, until one is left")
    func again() throws {
        var random = SeededRandom(seed: 4)
        var rest = token(&random, people: 8)
        var given: [Int] = []
        for _ in 0..<7 {
            let parts = try rest.split(people: 1)
            given += parts.cut.tickets
            rest = try GroupToken(text: parts.rest.text)
        }
        #expect(Set(given + rest.tickets) == Set(0..<8) && given.count == 7)
        #expect(throws: TokenError.noSuchSplit(of: 1)) { try rest.split(people: 1) }
    }

    @Test("The part that the error advises can be cut off any new invitation", arguments: 2...64)
    func advice(people: Int) throws {
        var random = SeededRandom(seed: UInt64(people))
        let advice = TokenError.noSuchSplit(of: people).description
        let count = try #require(Int(advice.split(separator: " ").last ?? ""))
        let (cut, rest) = try token(&random, people: people).split(people: count)
        #expect(cut.tickets.count == count && rest.tickets.count == people - count)
        #expect(cut.nodes.count == 1 && rest.nodes.count == 1)
    }

    @Test("Nobody, all, more than all, and a number that three nodes cannot name, cannot be cut off")
    func impossibleSplits() throws {
        var random = SeededRandom(seed: 5)
        let whole = token(&random, people: 64)
        for count in [-1, 0, 64, 65, .max, .min] {
            #expect(throws: TokenError.noSuchSplit(of: 64)) { try whole.split(people: count) }
        }
        for count in [1, 21, 63] {
            #expect(throws: TokenError.noSuchSplit(of: 64)) { try whole.split(people: count) }
        }
    }

    // MARK: Bad input

    /// A token with the given content and a correct sum.
    private func summed(_ bytes: [UInt8]) -> [UInt8] {
        bytes + Blake2b.hash16(bytes, domain: "kachat token sum").bytes.prefix(3)
    }

    @Test("Numbers, titles, nodes and addresses that cannot be are refused, with the right sum too")
    func forged() throws {
        var random = SeededRandom(seed: 11)
        let made = token(&random, people: 5, hints: [Self.hints[0]])
        let bytes = Array(made.encoded.dropLast(3))
        #expect(try GroupToken(encoded: summed(bytes)).text == made.text)
        // The layout is version, group and invitation; then people, door, title, number of nodes, and the node.
        let people = 65
        let title = people + 17
        let nodes = title + 7
        func with(_ value: UInt8, at place: Int) -> [UInt8] {
            var changed = bytes
            changed[place] = value
            return summed(changed)
        }
        let wrong = [
            with(0, at: people), with(65, at: people), with(25, at: title), with(255, at: title),
            with(7, at: title + 1), with(255, at: title + 1), with(0, at: nodes), with(4, at: nodes),
            with(2, at: nodes), with(0, at: nodes + 1), with(128, at: nodes + 1), with(127, at: nodes + 1),
            with(5, at: nodes + 18), with(2, at: nodes + 18), summed(bytes + [0]), summed(Array(bytes.dropLast())),
        ]
        for (number, input) in wrong.enumerated() {
            #expect(throws: TokenError.notValid, "\(number)") { try GroupToken(encoded: input) }
        }
        // These two nodes share a ticket.
        let twice = GroupToken(
            group: made.group, invite: made.invite, people: 5, door: made.door, title: "",
            nodes: made.nodes + made.nodes,
            hints: [])
        #expect(throws: TokenError.notValid) { try GroupToken(encoded: twice.encoded) }
        for index in bytes.indices where index > 0 {
            var changed = bytes
            changed[index] ^= 1
            #expect(throws: TokenError.incomplete) {
                try GroupToken(encoded: changed + made.encoded.suffix(3))
            }
        }
    }

    @Test("Another version, and no token at all, are told apart")
    func errors() throws {
        var random = SeededRandom(seed: 12)
        let made = token(&random)
        for version in [1, 3] as [UInt8] {
            var other = Array(made.encoded.dropLast(3))
            other[0] = version
            #expect(throws: TokenError.otherVersion(version)) { try GroupToken(encoded: summed(other)) }
        }
        for text in ["", "hello", "kachat:", "kachat", String(repeating: "kachat:a", count: 1_000)] {
            #expect(throws: TokenError.notAToken) { try GroupToken(text: text) }
        }
        for count in 1..<200 {
            #expect(throws: TokenError.self) { try GroupToken(text: TokenText.encode(random.bytes(count))) }
        }
    }

    @Test("Titles are cut between characters")
    func cut() {
        #expect(GroupToken.cut("Family") == "Family")
        #expect(GroupToken.cut(String(repeating: "👨‍👩‍👧", count: 3)) == "👨‍👩‍👧")
        #expect(GroupToken.cut(String(repeating: "é", count: 30)).utf8.count == 24)
    }
}
