import NodeCore
import TestScale
import Testing

@testable import LeaderboardShare

@Suite("Tokens") struct GroupTokenTests {
    private let issuer = Ed25519.KeyPair(seed: Secret(bytes: Array(repeating: 3, count: 32)))

    private func token(
        _ random: inout SeededRandom, title: String = "Family", role: Role = .member, expires: UInt64 = 2_000_000_000,
        uses: UInt32 = Delegation.unlimited, hints: [SocketAddress] = []
    ) throws -> GroupToken {
        let secret = TokenSecret(random: &random)
        let link = Delegation(role: role, expiresSeconds: expires, uses: uses, key: secret.key.publicKey)
        return try GroupToken(
            group: random.identifier(), issuer: MemberID(issuer.publicKey), title: title,
            rendezvous: random.bytes(16), link: link, secret: secret, hints: hints, sign: issuer.sign)
    }

    @Test("What is read is what was written; case, spaces and hyphens do not matter")
    func roundTrip() throws {
        var random = SeededRandom(seed: 1)
        let hints = [SocketAddress(ipv4: 0x7F00_0001, port: 4_711)]
        let made = try token(&random, title: "Großmutters Spielrunde am Sonntag", uses: 5, hints: hints)
        #expect(made.title.utf8.count <= 24 && made.title.hasPrefix("Großmutters"))
        let spaced = made.text.map { "\($0) " }.joined()
        let forms = [made.text, made.text.uppercased(), spaced, made.text.replacing("-", with: "\n")]
        for form in forms {
            let read = try GroupToken(text: form)
            #expect(read.group == made.group && read.issuer == made.issuer && read.title == made.title)
            #expect(read.chain == made.chain && read.signatures == made.signatures && read.hints == hints)
            #expect(read.rendezvous == made.rendezvous && read.text == made.text)
        }
    }

    @Test("A chain of two with a long title and both kinds of address fits 600 characters")
    func size() throws {
        var random = SeededRandom(seed: 2)
        let hints = [
            SocketAddress(ipv4: 0xC0A8_0001, port: 65_535), SocketAddress(ipv6: Bytes16(1, 2), port: 65_535),
        ]
        let title = String(repeating: "x", count: 80)
        let long = Limits.tokenExpirySeconds
        let one = try token(&random, title: title, role: .admin, expires: long, uses: Limits.tokenUses, hints: hints)
        let two = try one.narrowed(role: .viewer, expiresSeconds: long, uses: Limits.tokenUses, random: &random)
        #expect(two.text.count <= Limits.tokenTextCharacters, "\(two.text.count)")
        #expect(try GroupToken(text: two.text).chain == two.chain)
        #expect(throws: TokenError.tooLong) { try token(&random, hints: hints + hints) }
    }

    @Test(
        "Every wrong character and every swap of neighbours is found, and where",
        arguments: 0..<TestScale.of(usual: 1, proof: 3) as Range<UInt64>)
    func typingErrors(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let text = Array(try token(&random).text.utf8)
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
        let text = try token(&random).text
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

    @Test("Narrowing gives less, never more", arguments: 0..<20 as Range<UInt64>)
    func narrowing(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var token = try token(&random, role: .admin, expires: 1_000, uses: 10)
        for _ in 0..<Limits.chainLinks - 1 {
            let rights = token.rights
            let role = Role(rawValue: UInt8.random(in: 1...3, using: &random))
            let expires = UInt64.random(in: 900...1_100, using: &random)
            let uses = UInt32.random(in: 5...12, using: &random)
            do {
                let next = try token.narrowed(role: role, expiresSeconds: expires, uses: uses, random: &random)
                #expect(next.rights.narrows(rights))
                token = try GroupToken(text: next.text)
                #expect(token.admission(of: MemberID(issuer.publicKey)).isProven(group: token.group))
            } catch TokenError.widens {
                #expect((role ?? .viewer) > rights.role || expires > rights.expiresSeconds || uses > rights.uses)
                token = try token.narrowed(random: &random)
            }
        }
        #expect(throws: TokenError.chainTooLong) { try token.narrowed(random: &random) }
    }

    @Test("A widened chain, a foreign signature and any changed byte are refused", arguments: 0..<4)
    func forged(link: Int) throws {
        var random = SeededRandom(seed: 11)
        let one = try token(&random, role: .viewer, expires: 1_000, uses: 3)
        let two = try one.narrowed(expiresSeconds: 900, random: &random)
        var chain = two.chain
        switch link {
        case 0: chain[1].role = .member
        case 1: chain[1].expiresSeconds = 1_001
        case 2: chain[1].uses = 4
        default: chain[0].role = .admin
        }
        // Its holder signs what it likes, and computes all checksums.
        let message = chain[1].signedMessage(group: two.group, after: chain[0].key)
        let forged = GroupToken(
            group: two.group, issuer: two.issuer, title: two.title, rendezvous: two.rendezvous, chain: chain,
            signatures: [two.signatures[0], one.secret.key.sign(message)], secret: two.secret, hints: [])
        #expect(throws: TokenError.notValid) { try GroupToken(text: forged.text) }
        let bytes = Array(two.encoded.dropLast(3))
        for index in bytes.indices where index > 0 {
            var changed = bytes
            changed[index] ^= 1 << UInt8(link)
            let sum = Blake2b.hash16(changed, domain: "kachat token sum").bytes.prefix(3)
            #expect(throws: TokenError.notValid) { try GroupToken(encoded: changed + sum) }
        }
    }

    @Test("Expired, used up, of a later version, and no token at all are told apart")
    func errors() throws {
        var random = SeededRandom(seed: 12)
        let made = try token(&random, expires: 1_000, uses: 0)
        #expect(throws: TokenError.usedUp) { try made.checkUsable(now: WallTime(milliseconds: 0)) }
        let dated = try token(&random, expires: 1_000)
        #expect(throws: TokenError.expired(atSeconds: 1_000)) {
            try dated.checkUsable(now: WallTime(milliseconds: 1_000_000))
        }
        try dated.checkUsable(now: WallTime(milliseconds: 999_999))
        try dated.checkUsable(now: WallTime(milliseconds: .min))
        var later = Array(made.encoded.dropLast(3))
        later[0] = 2
        let sum = Blake2b.hash16(later, domain: "kachat token sum").bytes.prefix(3)
        #expect(throws: TokenError.otherVersion(2)) { try GroupToken(encoded: later + sum) }
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
