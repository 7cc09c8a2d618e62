import NodeCore

/// The text form of a token: `kachat:` and groups of twenty characters of base32 (RFC 4648), separated by hyphens.
///
/// The last character of each group is its checksum. As numbers of GF(32), the characters of a group, multiplied by
/// different weights, sum up to a value that is specific to the group. All weights differ and none is zero, so one
/// wrong character, or two swapped ones, never give the right sum; a swap across a border is one wrong character in
/// each of two groups. Groups in the wrong order are detected too, among the first thirty-one.
enum TokenText {
    static let prefix = "kachat:"
    static let groupCharacters = 20
    /// Of the shortest token: 104 bytes in 167 characters, and the checks of nine groups.
    private static let fewestCharacters = 176
    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        var values: [UInt8] = []
        var held: UInt32 = 0
        var bits = 0
        for byte in bytes {
            held = (held << 8 | UInt32(byte)) & 0xFFF
            bits += 8
            while bits >= 5 {
                bits -= 5
                values.append(UInt8(held >> UInt32(bits) & 31))
            }
        }
        if bits > 0 { values.append(UInt8(held << UInt32(5 - bits) & 31)) }
        let payload = groupCharacters - 1
        var groups: [String] = []
        for start in stride(from: 0, to: values.count, by: payload) {
            var group = Array(values[start..<min(start + payload, values.count)])
            // The weight of the last place is 1: the check is the difference to the group's own value.
            group.append(sum(group, places: group.count + 1) ^ own(groups.count))
            groups.append(String(decoding: group.map { alphabet[Int($0)] }, as: UTF8.self))
        }
        return prefix + groups.joined(separator: "-")
    }

    static func decode(_ text: String) throws(TokenError) -> [UInt8] {
        guard text.utf8.count <= Limits.tokenInputBytes else { throw .notAToken }
        let characters = text.utf8.filter { !isSpace($0) }.map { lowercased($0) }
        guard characters.starts(with: prefix.utf8) else { throw .notAToken }
        let written = Array(characters.dropFirst(prefix.utf8.count))
        let all = written.filter { $0 != UInt8(ascii: "-") }
        guard !all.isEmpty else { throw .notAToken }
        let count = (all.count + groupCharacters - 1) / groupCharacters
        try checkHyphens(written, groups: count)
        var values: [UInt8] = []
        values.reserveCapacity(all.count)
        var wrong: [Int] = []
        for number in 0..<count {
            let start = number * groupCharacters
            let group = all[start..<min(start + groupCharacters, all.count)].map(value)
            let known = group.compactMap { $0 }
            let isRight =
                known.count == group.count && known.count > 1 && sum(known, places: known.count) == own(number)
            if !isRight { wrong.append(number) }
            values += known.dropLast()
        }
        // One wrong group, or two adjacent ones, are typing errors; more mean that something is missing, and so does a
        // last one of a text that is too short.
        let isCutOff = all.count < fewestCharacters
        if let first = wrong.first {
            guard wrong.count <= 2, first < count - 1 || !isCutOff else { throw .incomplete }
            throw .typingError(group: first + 1, of: count)
        }
        guard !isCutOff else { throw .incomplete }
        return try bytes(of: values, groups: count)
    }

    /// Any hyphen must separate groups: one elsewhere shows where a character is missing or superfluous.
    private static func checkHyphens(_ written: [UInt8], groups: Int) throws(TokenError) {
        var inGroup = 0
        var group = 1
        for character in written {
            if character == UInt8(ascii: "-") {
                guard inGroup % groupCharacters == 0, inGroup > 0 else {
                    throw .typingError(group: group, of: groups)
                }
                group += inGroup / groupCharacters
                inGroup = 0
            } else {
                inGroup += 1
            }
        }
    }

    private static func bytes(of values: [UInt8], groups: Int) throws(TokenError) -> [UInt8] {
        var bytes: [UInt8] = []
        var held: UInt32 = 0
        var bits = 0
        for value in values {
            held = (held << 5 | UInt32(value)) & 0xFFF
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(held >> UInt32(bits) & 255))
            }
        }
        // There is only one valid encoding: the remainder is less than a character, and zero.
        guard bits < 5, held & (1 << UInt32(bits) - 1) == 0 else { throw .typingError(group: groups, of: groups) }
        return bytes
    }

    /// The sum that the group at this place must have.
    private static func own(_ group: Int) -> UInt8 { UInt8(group % 31 + 1) }

    /// Σ value · α^(distance from the last place); a missing check counts as zero.
    private static func sum(_ values: [UInt8], places: Int) -> UInt8 {
        var sum: UInt8 = 0
        for value in values { sum = doubled(sum) ^ value }
        for _ in values.count..<places { sum = doubled(sum) }
        return sum
    }

    /// Multiplies by α in GF(32) with α⁵ = α² + 1; α generates all 31 non-zero numbers.
    private static func doubled(_ value: UInt8) -> UInt8 {
        value & 16 == 0 ? value << 1 : (value << 1 ^ 0x25) & 31
    }

    private static func value(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a")
        case UInt8(ascii: "2")...UInt8(ascii: "7"): character - UInt8(ascii: "2") + 26
        default: nil
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

    private static func lowercased(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte + 32 : byte }
}

/// The reasons that a text is not a usable token, worded as advice.
package enum TokenError: Error, Equatable, Sendable {
    /// Does not begin with `kachat:`, or is far too long or short for a token.
    case notAToken
    /// A typing error in this group of characters, counted from 1; `of` is the number of groups.
    case typingError(group: Int, of: Int)
    /// The characters are valid one by one, but some are missing or several groups are wrong.
    case incomplete
    /// Made by a newer version: update kachat-node.
    case otherVersion(UInt8)
    /// The form is right, and the content cannot be.
    case notValid
    /// So many tickets cannot be cut off; with the number that there are.
    case noSuchSplit(of: Int)
}

extension TokenError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notAToken: "this is not an invitation: one begins with \"kachat:\""
        case .typingError(let group, let count) where group == count:
            "a typing error in the last of \(count) groups, or the end is missing: compare it with the original"
        case .typingError(let group, let count):
            "a typing error in group \(group) of \(count), between the hyphens: compare it with the original"
        case .incomplete: "some characters are missing or in the wrong order: copy the whole invitation again"
        case .otherVersion: "this invitation was made by a later version: update kachat-node"
        case .notValid: "not a valid invitation"
        case .noSuchSplit(1): "this invitation is for one person: there is nothing to cut off"
        case .noSuchSplit(let count):
            "this invitation is for \(count) people: so many cannot be cut off; try \(Self.powerOfTwo(below: count))"
        }
    }

    /// One node of the tree covers so many tickets, and another one the rest.
    private static func powerOfTwo(below count: Int) -> Int {
        1 << (Int.bitWidth - 1 - (count - 1).leadingZeroBitCount)
    }
}
