extension Rule {
    /// The calls that end the process. Wrong input from outside is an error; `precondition` is for our own invariants.
    static let traps = Rule.lines("no try!, as!, fatalError", about: ["try!", "as!", "fatalError"]) { file, index in
        guard file.isSwift else { return nil }
        let code = file.code[index]
        if code.contains(word: "try!") { return "try! traps; handle the error" }
        if code.contains(word: "as!") { return "as! traps; use as? and handle the other case" }
        if code.contains(word: "fatalError") { return "fatalError: use preconditionFailure(\"invariant: …\")" }
        return nil
    }

    static let forceUnwraps = Rule.lines("no force unwrap outside an invariant") { file, index in
        guard file.isSwift, file.isSource, file.code[index].hasForceUnwrap else { return nil }
        return file.documentsInvariant(at: index)
            ? nil : "force unwrap without `// invariant:` and the reason on this line or above it"
    }
}

extension String {
    /// Whether the word occurs on its own, and not as part of a longer one.
    func contains(word: String) -> Bool {
        var rest = self[...]
        while let range = rest.firstRange(of: word) {
            let before = self[..<range.lowerBound].last
            let after = self[range.upperBound...].first
            let isWhole = before?.isWordPart != true && (word.last?.isWordPart != true || after?.isWordPart != true)
            if isWhole { return true }
            rest = self[range.upperBound...]
        }
        return false
    }

    /// Whether an exclamation mark follows an expression or a type directly. The formatter puts spaces around `!=`
    /// and before a negation, and `try!` and `as!` have their own rule.
    var hasForceUnwrap: Bool {
        guard utf8.contains(UInt8(ascii: "!")) else { return false }
        let characters = Array(self)
        return characters.indices.dropFirst().contains { index in
            guard characters[index] == "!" else { return false }
            let before = characters[index - 1]
            guard before.isWordPart || ")]}?\">".contains(before) else { return false }
            let text = String(characters[..<index])
            return !["try", "as"].contains { keyword in
                text.hasSuffix(keyword) && text.dropLast(keyword.count).last?.isWordPart != true
            }
        }
    }
}

extension Character {
    fileprivate var isWordPart: Bool { isLetter || isNumber || self == "_" }
}
