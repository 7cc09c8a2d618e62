/// What a member may sign, gathered while its givings become valid, so that a question costs no walk over all pairs of
/// giving and demotion.
struct Standing: Sendable {
    /// For each needed role, by its number: a giving of it holds that no demotion below it cuts.
    private var free: [Bool] = [false, false, false, false, false]
    /// For each needed role: what the demotions name that cut a giving of it; one entry for all with the same cuts.
    private var named: [[NameSet]] = [[], [], [], [], []]
    /// The best role of an admission so far: a further one must give more, or adds nothing.
    var bestAdmission: Role?
    /// After demotions.
    var role: Role?

    mutating func add(_ role: Role) { self.role = max(self.role ?? role, role) }

    mutating func addFree(_ need: Role) { free[Int(need.rawValue)] = true }

    mutating func add(_ names: NameSet, _ need: Role) { named[Int(need.rawValue)].append(names) }

    func isFree(_ need: Role) -> Bool { free[Int(need.rawValue)] }

    func named(_ need: Role) -> [NameSet] { named[Int(need.rawValue)] }
}
