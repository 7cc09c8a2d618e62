import NodeCore
import SyncState
import Testing

@testable import LeaderboardShare

/// Who was let in beside a rotation, and finds the next root under the epoch of its admission.
@Suite("Group zones: let in beside a rotation", .timeLimit(.minutes(30))) struct GroupZoneDetourTests {
    private let anna: GroupBench
    private let ben: GroupBench
    private let mallory: GroupBench
    private let dora: GroupBench
    private let first: GroupEpoch

    /// Anna starts a new epoch, of which Mallory knows; Ben does not, and lets Dora in.
    init() throws {
        anna = try GroupBench(founder: "anna", 1)
        let token = try anna.zone.invite()
        ben = try anna.admit("ben", 2, with: token)
        mallory = try anna.admit("mallory", 3, with: token)
        try anna.meet(ben)
        first = anna.zone.ring.current
        try anna.zone.rotate()
        try anna.turn()
        try anna.meet(mallory)
        dora = try ben.admit("dora", 4, with: token)
        #expect(mallory.zone.ring.current.number == anna.zone.ring.current.number)
        #expect(dora.zone.ring.current.number == first.number)
    }

    private func carry(_ records: [Record], to bench: GroupBench) throws {
        for record in records { _ = try? bench.zone.store.put(record) }
    }

    /// Anna rotates before she hands Dora the root that she lacks.
    private func rotateAndLook() throws {
        try carry(ben.records(), to: anna)
        try anna.zone.rotate()
        try anna.turn()
        try carry(anna.records(), to: dora)
        try dora.turn()
        #expect(dora.zone.ring.current.record == anna.state.rootRecord?.hash)
    }

    @Test("It finds the next root") func itFindsTheNextRoot() throws { try rotateAndLook() }

    @Test("Also where another member writes the admission once more, under an epoch that it cannot read")
    func copiesOfTheAdmissionHideNothing() throws {
        try carry(ben.records(), to: mallory)
        let admission = try #require(
            mallory.zone.contents.controls.values.first { $0.kind == .admission && $0.act.subject == dora.member })
        try mallory.zone.put(admission)
        try carry(mallory.records(), to: anna)
        try rotateAndLook()
    }

    @Test("Nor does an admission that is none") func junkHidesNothing() throws {
        try carry(ben.records(), to: mallory)
        let admission = try #require(
            mallory.zone.contents.controls.values.first { $0.kind == .admission && $0.act.subject == dora.member })
        try mallory.zone.write(admission.act, under: .zero)
        try carry(mallory.records(), to: anna)
        try rotateAndLook()
        let junk = anna.zone.contents.controls.values.filter { $0.kind == .admission && $0.by == mallory.member }
        #expect(junk.count == 1 && !anna.state.isValid(junk[0].hash))
    }
}
