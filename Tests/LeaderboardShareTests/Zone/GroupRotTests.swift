import NodeCore
import SyncState
import Testing

@testable import LeaderboardShare

@Suite("Rows of a group that rot", .timeLimit(.minutes(5))) struct GroupRotTests {
    private struct Shown: Equatable {
        let games: [String]
        let names: [String]
        let rows: [StandingRow]
        let results: Int

        init(_ zone: GroupZone) throws {
            games = zone.catalogue.games.map(\.name)
            names = zone.roster.members(withRemoved: true).map(\.name)
            rows = try zone.standings.rows([zone.member], period: .all, today: Day(number: 20_050))
            results = try zone.results(of: zone.member).count
        }
    }

    /// A bit of its signature flips: its seal is right, so it is read.
    @Test(
        "What a row said that a scrub drops is shown no more, as after a start, and again once another device gives it",
        arguments: 0..<3)
    func whatItSaid(row: Int) throws {
        let anna = try GroupBench(founder: "anna", 1)
        try anna.zone.roster.setName("Anna", wall: GroupBench.wall)
        try anna.turn()
        try anna.post(2)
        let ben = try anna.admit("ben", 2, with: anna.zone.invitations.invite())
        try anna.zone.tidy()
        let before = try Shown(anna.zone)
        let held = try anna.database.prepare("SELECT id, rec FROM record ORDER BY id").all { ($0.int(0), $0.blob(1)) }
        #expect(held.count == 3)
        var (id, bytes) = held[row]
        bytes[bytes.count - 1] ^= 1
        try anna.database.prepare("UPDATE record SET rec = ? WHERE id = ?").run(bytes, id)

        let rotten = try anna.reopened()
        #expect(try Shown(rotten.zone) == before)
        var cursor = ZoneStore.ScrubCursor()
        // Derived data is checked after the rows, and nobody waits for it.
        while cursor.report.damagedRows == 0, try rotten.zone.store.scrub(&cursor) {}
        try rotten.zone.commit()
        let left = try Shown(rotten.zone)
        #expect(left != before)
        #expect(try left == Shown(rotten.reopened().zone))
        while try rotten.zone.store.scrub(&cursor) { try rotten.zone.commit() }
        #expect(cursor.report.damagedRows == 1 && cursor.report.damagedIndexes == 0)
        try rotten.meet(ben)
        #expect(try Shown(rotten.zone) == before)
    }
}
