import Testing

@testable import NodeCore

@Suite struct EditDistanceTests {
    @Test func distanceCountsSwapsAsOne() {
        #expect(EditDistance.between(Array("stauts".utf8), Array("status".utf8)) == 1)
        #expect(EditDistance.between(Array("".utf8), Array("abc".utf8)) == 3)
        #expect(EditDistance.nearest(to: "xyz", in: ["status", "run"]) == nil)
        #expect(EditDistance.nearest(to: "--date", in: ["--game", "--from", "--to"]) == nil)
        #expect(EditDistance.nearest(to: "--gaem", in: ["--game", "--from", "--to"]) == "--game")
    }
}
