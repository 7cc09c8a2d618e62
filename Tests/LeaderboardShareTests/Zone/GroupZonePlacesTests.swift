import NodeCore
import SyncState
import Testing

@testable import LeaderboardShare

@Suite("Group zones: room for all", .timeLimit(.minutes(30))) struct GroupZonePlacesTests {
    private let anna: GroupBench
    private let token: GroupToken
    private let ben: GroupBench

    init() throws {
        anna = try GroupBench(founder: "anna", 1)
        token = try anna.zone.invite()
        ben = try anna.admit("ben", 2, with: token)
        try anna.meet(ben)
    }

    /// A record that nobody can read, in a lane of its own key.
    private func junk(_ number: Int, blob: BlobReference? = nil) -> Record {
        let seed = Blake2b.hash32(Array("junk \(number)".utf8))
        let key = Ed25519.KeyPair(seed: Secret(bytes: seed.bytes))
        let header = RecordHeader(
            lane: LaneID(key.publicKey), seq: 1, slot: Slot(.zero), kind: .immutable, keyVersion: 77)
        return Record(
            header: header, blob: blob, sealedMeta: [UInt8](repeating: 1, count: 60), zone: anna.zone.zone,
            signedBy: key)
    }

    @Test("All lanes filled by one member: a newcomer's results find room, and the session goes on")
    func lanesFilledByOne() throws {
        let most = SyncState.Limits.lanes - SyncState.Limits.lanesKept
        var number = 0
        while (try? anna.zone.store.put(junk(number))) != nil { number += 1 }
        try anna.turn()
        #expect(anna.zone.store.vector.count >= most - 1)
        #expect(throws: RecordRejection.overLimit) { try anna.zone.store.put(junk(100_000)) }
        let cleo = try anna.admit("cleo", 3, with: token)
        try cleo.post(2)
        try cleo.meet(anna)
        try ben.post(3)
        try ben.meet(anna)
        try cleo.meet(anna)
        for bench in [anna, ben, cleo] { #expect(bench.closed.isEmpty) }
        #expect(anna.points([ben.member, cleo.member]) == [4, 5])
        #expect(cleo.points([ben.member, cleo.member]) == [4, 5])
        #expect(try anna.zone.staleness() == nil)
        #expect(try anna.reopened("anna").points([cleo.member]) == [5])
    }

    @Test("A member with a hundred devices: each posts, and all of it counts while there is room")
    func aHundredDevices() throws {
        for number in 10..<110 {
            let device = try GroupBench("ben", UInt8(number), anna.zone.welcome)
            for record in try anna.records() where record.lane != device.zone.lane {
                try device.zone.store.put(record)
            }
            try device.turn()
            try device.post(3, day: 19_000 + number)
            for record in try device.zone.store.records(of: device.zone.lane) { try anna.zone.store.put(record) }
        }
        try anna.turn()
        #expect(anna.state.devices(of: ben.member).count == 101)
        #expect(try anna.zone.results(of: ben.member).count == 100)
        // A right to a place have sixteen of them.
        #expect(anna.state.lanesWithPlace.intersection(anna.state.devices(of: ben.member)).count == 16)
    }

    @Test("Blobs that nobody can read, or of who owns nothing, are not taken; the owner's lists are, once it is known")
    func foreignBlobs() throws {
        let reference = BlobReference(hash: BlobHash(.zero), sizeBytes: 262_144)
        #expect(throws: RecordRejection.notYet) { try anna.zone.store.put(junk(1, blob: reference)) }
        // More names than stand inside: the list is a blob.
        let names = NameSet((0..<40).map { RecordHash(Blake2b.hash32([UInt8($0)])) })
        try ben.zone.write(.unsuspend(names), under: .zero)
        try ben.turn()
        try ben.meet(anna)
        #expect(anna.zone.store.wantedCount == 0 && anna.zone.contents.unnamed.isEmpty)
        try anna.zone.write(.remove(ben.member, staying: names), under: try #require(anna.state.ownership))
        try anna.turn()
        let cleo = try anna.admit("cleo", 3, with: token)
        #expect(cleo.state.removed == [ben.member])
    }

    @Test("Many results of one day and game cost a reading each, not one beside all others")
    func oneCell() throws {
        let count = 300
        for number in 1...count {
            let score = try DailyScore(
                member: ben.member, day: Day(number: 20_000), game: GroupBench.game, gameName: "Wordle",
                score: UInt32(number % 6 + 1), maxAttempts: 6, updatedAt: GroupBench.wall, revision: UInt32(number))
            try ben.zone.put(.score(score))
        }
        try ben.turn()
        try anna.meet(ben)
        let before = anna.zone.store.scannedRows
        #expect(anna.points([ben.member]) == [6])
        #expect(anna.zone.store.scannedRows - before < UInt64(4 * count))
        // Those in lanes of others are not read at all.
        for number in 1...count {
            let score = try DailyScore(
                member: anna.member, day: Day(number: 20_000), game: GroupBench.game, gameName: "Wordle",
                score: 1, maxAttempts: 6, updatedAt: GroupBench.wall, revision: UInt32(number))
            try ben.zone.put(.score(score))
        }
        try ben.turn()
        try anna.meet(ben)
        _ = try anna.zone.standings
        let scanned = anna.zone.store.scannedRows
        try anna.post(5)
        #expect(anna.points([anna.member]) == [2])
        #expect(anna.zone.store.scannedRows - scanned < 50)
    }

    @Test("No two members look alike, whatever they call themselves")
    func names() throws {
        let cleo = try anna.admit("cleo", 3, with: token)
        try cleo.meet(anna)
        try ben.zone.setName("Member \(anna.member.hex.prefix(4))", wall: GroupBench.wall)
        try cleo.zone.setName("MEMBER\u{200B} \(anna.member.hex.prefix(4)) ", wall: GroupBench.wall)
        for bench in [ben, cleo] {
            try bench.turn()
            try bench.meet(anna)
        }
        let shown = anna.zone.memberList().map {
            $0.name.lowercased().filter { !$0.isWhitespace }.replacing("\u{200B}", with: "")
        }
        #expect(Set(shown).count == 3)
    }
}
