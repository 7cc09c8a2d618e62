/// Finds what a user names, in the same way for everything that has an id: accounts, devices, groups, members, games,
/// invitations, tokens.
///
/// A full id outranks a name, a name outranks one in another case, and that the beginning of an id.
package struct Naming<Candidate> {
    /// `device`, as messages call it.
    private let kind: String
    /// The command that lists them.
    private let list: String
    private let ids: (Candidate) -> [String]
    private let name: (Candidate) -> String?
    private let rank: (Candidate) -> Int
    private let areNamesForeign: Bool

    /// - Parameters:
    ///   - ids: in lower case, the present one first.
    ///   - name: nil for what has none.
    ///   - rank: of several that fit, only those with the highest rank count.
    ///   - areNamesForeign: whether others choose the names, so that none outranks the beginning of an id.
    package init(
        _ kind: String, list: String, ids: @escaping (Candidate) -> [String],
        name: @escaping (Candidate) -> String? = { _ in nil }, rank: @escaping (Candidate) -> Int = { _ in 0 },
        areNamesForeign: Bool = false
    ) {
        self.kind = kind
        self.list = list
        self.ids = ids
        self.name = name
        self.rank = rank
        self.areNamesForeign = areNamesForeign
    }

    /// - Parameter absence: the error's code if nothing fits; if several do it is `usage`.
    package func find(
        _ text: String, in candidates: [Candidate], absence: NodeError.Code = .notFound
    ) throws(NodeError) -> Candidate {
        let wanted = text.lowercased()
        func begins(_ candidate: Candidate) -> Bool {
            wanted.utf8.count >= Limits.idDigits && ids(candidate).contains { $0.hasPrefix(wanted) }
        }
        func isName(_ candidate: Candidate) -> Bool { name(candidate)?.lowercased() == wanted }
        let isID: (Candidate) -> Bool = { ids($0).contains(wanted) }
        let ways: [(Candidate) -> Bool] =
            areNamesForeign && candidates.contains(where: begins)
            ? [isID, { isName($0) || begins($0) }] : [isID, { name($0) == text }, isName, begins]
        let fitting = ways.lazy.map { candidates.filter($0) }.first { !$0.isEmpty } ?? []
        let highest = fitting.map(rank).max()
        let meant = fitting.filter { rank($0) == highest }
        guard let one = meant.first else {
            // Those that are gone are not what somebody looks for.
            let highest = candidates.map(rank).max()
            let known = candidates.filter { rank($0) == highest }
            let isShort = (1...Limits.listedNames).contains(known.count)
            let there = isShort ? "; there is: " + described(known) : "; see `\(list)`"
            throw NodeError(absence, "there is no \(kind) `\(text)`\(advice: there)")
        }
        guard meant.count == 1 else {
            throw NodeError(
                .usage,
                "`\(text)` names several \(kind)s: \(described(meant)): give its id, or enough of it to be unique")
        }
        return one
    }

    /// `main (01234567), work (89abcdef)`, with enough of each id to be unique.
    package func described(_ candidates: [Candidate]) -> String {
        let all = candidates.map { ids($0).first ?? "" }
        var digits = 8
        while digits < 64, Set(all.map { $0.prefix(digits) }).count < Set(all).count { digits += 8 }
        return zip(candidates, all).map { candidate, id in
            let id = String(id.prefix(digits))
            return name(candidate).map { "\(Terminal.harmless($0)) (\(id))" } ?? id
        }.joined(separator: ", ")
    }
}
