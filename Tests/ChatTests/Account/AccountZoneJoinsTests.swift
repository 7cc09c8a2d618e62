import ChatTestKit
import NodeCore
import SyncState
import Testing

@testable import Chat

@Suite("Joins that wait for a member") struct AccountZoneJoinsTests {
    @Test("They survive restarts, go to no other device, and lie nowhere in clear")
    func pendingJoins() throws {
        let zone = try TestZone(device: 1)
        let (one, two) = (ZoneID(Bytes32(1, 0, 0, 1)), ZoneID(Bytes32(2, 0, 0, 1)))
        try zone.zone.groups.keep(pending: [1], for: two)
        try zone.zone.rollback()
        #expect(try zone.zone.groups.pendingJoins().isEmpty)
        try zone.zone.groups.keep(pending: Array("tokeninclear".utf8), for: two)
        try zone.zone.groups.keep(pending: [7], for: one)
        try zone.zone.commit()
        let again = try zone.reopened()
        #expect(try again.zone.groups.pendingJoins().map(\.content) == [[7], Array("tokeninclear".utf8)])
        let bytes = try again.database.snapshot()
        let word = Array("tokeninclear".utf8)
        let places = bytes.indices.dropLast(word.count)
        #expect(!places.contains { bytes[$0] == word[0] && bytes[$0...].starts(with: word) })
        let other = try TestZone(device: 2)
        try again.meet(other)
        #expect(try other.zone.groups.pendingJoins().isEmpty)
        try again.zone.groups.forgetPending(two)
        try again.zone.commit()
        #expect(try again.reopened().zone.groups.pendingJoins().map(\.group) == [one])
    }
}
