import Testing

@testable import NodeCore

@Suite struct EditDistanceTests {
    @Test func distanceCountsSwapsAsOne() {
        #expect(EditDistance.between(Array("stauts".utf8), Array("status".utf8)) == 1)
        #expect(EditDistance.between(Array("".utf8), Array("abc".utf8)) == 3)
        #expect(EditDistance.nearest(to: "xyz", in: ["status", "run"]) == nil)
    }
}
