import NodeCore
import SyncState
import Testing

@testable import LeaderboardShare

@Suite("A group that changes hands", .timeLimit(.minutes(30))) struct GroupZoneHandoverTests {
    private let anna: GroupBench
    private let ben: GroupBench
    private let cleo: GroupBench

    init() throws {
        anna = try GroupBench(founder: "anna", 1)
        let token = try anna.zone.invite()
        ben = try anna.admit("ben", 2, with: token)
        cleo = try anna.admit("cleo", 3, with: token)
        try anna.meet(ben)
    }

    private func game(_ number: UInt8) throws -> GameID {
        try #require(GameID(bytes: [UInt8](repeating: number, count: 16)))
    }

    private func enter(_ number: UInt8, by bench: GroupBench) throws {
        try bench.zone.enter(game(number), name: "Game \(number)", model: .higher)
        try bench.turn()
    }

    private func handOver() throws {
        try anna.zone.offerOwnership(to: ben.member)
        try anna.turn()
        try anna.meet(ben)
        try ben.zone.acceptOwnership()
        try ben.turn()
        try ben.meet(anna)
        try anna.meet(ben)
        #expect(ben.state.owner == ben.member)
    }

    private func names(_ bench: GroupBench) -> [String] { bench.zone.catalogue.games.map(\.name) }

    @Test("The games of who owned the group stay with it, and so do all results of them")
    func games() throws {
        try cleo.post(3)
        try cleo.meet(anna)
        try handOver()
        try anna.meet(cleo)
        // It is a member now, whose games count for nothing.
        try anna.zone.put(
            .game(GameEntry(member: anna.member, game: Game(id: game(7), name: "Late", model: .higher, number: 2))))
        try anna.turn()
        try anna.meet(ben)
        try anna.meet(cleo)
        for bench in [anna, ben, cleo] {
            #expect(names(bench) == ["Wordle"])
            #expect(bench.points([cleo.member]) == [4])
        }
        try cleo.post(2, day: 20_001)
        // Who leads the group now corrects it.
        try ben.zone.enter(GroupBench.game, name: "Wordle 2", model: .lowerAttempts, maxAttempts: 6)
        try ben.turn()
        try ben.meet(cleo)
        #expect(names(cleo) == ["Wordle 2"])
    }

    @Test("A removal and a demotion of who owned the group leave the games that they name", arguments: [true, false])
    func takings(isRemoved: Bool) throws {
        try handOver()
        if isRemoved { try ben.zone.remove(anna.member) } else { try ben.zone.demote(anna.member, to: .viewer) }
        try ben.turn()
        try ben.meet(cleo)
        for bench in [ben, cleo] { #expect(names(bench) == ["Wordle"]) }
        // One that names nothing leaves nothing.
        let authority = try #require(ben.state.ownership)
        let bare = GroupState(
            group: ben.zone.zone,
            records: ben.state.records.map { record in
                switch record.act {
                case .remove, .demote: ben.taking(anna.member, isRemoved: isRemoved, under: authority)
                default: record
                }
            })
        #expect(ben.zone.acceptedGames(of: anna.member, bare).isEmpty)
    }

    @Test("What a device of the owner entered before it heard of the transfer stays, if the new owner had seen it")
    func kept() throws {
        let second = try GroupBench("anna", 4, anna.zone.welcome)
        try second.meet(anna)
        try anna.meet(cleo)
        try anna.zone.offerOwnership(to: ben.member)
        try anna.turn()
        try anna.meet(ben)
        try ben.zone.acceptOwnership()
        try ben.turn()
        try enter(8, by: second)
        for record in try second.records() { try ben.zone.store.put(record) }
        try ben.turn()
        #expect(names(ben) == ["Wordle", "Game 8"])
        try ben.meet(anna)
        try anna.meet(ben)
        #expect(ben.state.owner == ben.member)
        // And one that nobody of the new owner's saw in time.
        try enter(9, by: second)
        for _ in 0..<2 {
            for bench in [anna, second, cleo] { try ben.meet(bench) }
        }
        for bench in [anna, ben, second, cleo] { #expect(names(bench) == ["Wordle", "Game 8"]) }
    }
}

extension GroupBench {
    /// A taking by this member that names nothing.
    fileprivate func taking(_ other: MemberID, isRemoved: Bool, under giving: RecordHash) -> ControlRecord {
        let act: ControlAct =
            isRemoved ? .remove(other, staying: .empty) : .demote(other, to: .viewer, staying: .empty)
        return ControlRecord(
            group: zone.zone, by: member, under: giving, claimedAt: Self.wall, nonce: 9, act: act,
            sign: zone.memberKey.sign)
    }
}
