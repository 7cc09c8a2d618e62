/// A member's rights to sign, collected while its givings become valid, so that a query need not visit all pairs of
/// giving and demotion.
struct Standing: Sendable {
    /// For each required role, by number: true if a giving of it holds and no demotion below it applies.
    private var free: [Bool] = [false, false, false, false, false]
    /// For each required role: the names listed by the demotions that cut a giving of it; one entry for all givings
    /// with the same cuts.
    private var named: [[NameSet]] = [[], [], [], [], []]
    /// The best role of an admission so far; a further admission matters only if it gives more.
    var bestAdmission: Role?
    /// After demotions.
    var role: Role?

    mutating func add(_ role: Role) { self.role = max(self.role ?? role, role) }

    mutating func addFree(_ need: Role) { free[Int(need.rawValue)] = true }

    mutating func add(_ names: NameSet, _ need: Role) { named[Int(need.rawValue)].append(names) }

    func isFree(_ need: Role) -> Bool { free[Int(need.rawValue)] }

    func named(_ need: Role) -> [NameSet] { named[Int(need.rawValue)] }
}
