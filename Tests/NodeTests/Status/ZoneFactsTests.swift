import Gossip
import NodeCore
import NodeModel
import SyncState
import Testing

@testable import Chat
@testable import Node

@Suite struct ZoneFactsTests {
    private let wall = WallTime(milliseconds: 1_800_000_000_000)

    private func device(
        _ number: UInt8, _ name: String?, level: Bool = false, lacking: Bool = false, connected: Bool = false,
        upTo: WallTime? = nil, seen: WallTime? = nil
    ) -> DeviceReport {
        DeviceReport(
            lane: LaneID(bytes: [UInt8](repeating: number, count: 32)) ?? .zero, name: name, isThis: number == 1,
            isConnected: level || lacking || connected || number == 1, isLevel: level || number == 1,
            isLacking: lacking, holdsSame: level || lacking || number == 1, seen: seen, holdsUpTo: upTo,
            wanted: BlobSum())
    }

    private func facts(
        _ devices: [DeviceReport], state: ZoneState? = .synced, isTrouble: Bool = false,
        _ change: (inout ZoneFacts) -> Void = { _ in }
    ) -> ZoneFacts {
        var facts = ZoneFacts(
            state: state,
            report: ZoneReport(
                state: state?.name ?? "idle", sentence: "a sentence", isTrouble: isTrouble, since: nil, until: nil),
            devices: devices, changedAt: wall - .seconds(60))
        facts.isCompared = true
        change(&facts)
        return facts
    }

    private var pair: [DeviceReport] { [device(1, "laptop"), device(2, "phone", level: true)] }
    private let lost = BlobSum(blobs: 2, messages: 1_200, bytes: 34_000)

    @Test func itSaysWhoHoldsEverything() {
        let this = device(1, "laptop")
        #expect(facts([this]).summary == "no other device is known here: this is the only known copy")
        #expect(facts([this]).verdict == .offline)
        #expect(facts(pair).summary == "both devices hold everything")
        // This device is away, and was level since the last change.
        let tablet = device(3, "tablet", upTo: wall - .seconds(30))
        #expect(facts(pair + [tablet]).summary == "all 3 devices hold everything")
        #expect(facts(pair + [tablet]).verdict == .upToDate)
        let old = device(3, "tablet", upTo: wall - .seconds(60))
        #expect(facts(pair + [old]).summary == "2 of 3 devices hold everything; tablet: unknown")
        #expect(facts(pair + [old]).verdict == .offline)
        let behind = device(3, "tablet", connected: true, upTo: wall)
        #expect(facts(pair + [behind]).summary == "2 of 3 devices hold everything; tablet: not yet")
        #expect(facts(pair + [behind]).verdict == .syncing)
        // It differs, and nothing brings it nearer, so nothing is on its way.
        var other = behind
        other.isStalled = true
        let told = facts(pair + [other], state: .waiting(.stalled, until: nil))
        #expect(told.summary == "2 of 3 devices hold everything; tablet: not yet")
        #expect(told.verdict == .offline && !told.isCaughtUp)
        other.isWithholding = true
        let lacking = facts(pair + [other], state: .waiting(.stalled, until: nil))
        #expect(lacking.summary == "tablet shows records that it does not give, or that cannot be read here")
        #expect(lacking.verdict == .incomplete)
        let many = (3...7).map { device($0, nil) }
        #expect(facts(pair + many).summary.hasSuffix("device 05050505 and 2 more: unknown"))
        #expect(facts([this, tablet]) { $0.wanted = lost }.summary == "this device still lacks 1,200 messages (34 kB)")
    }

    @Test func whileSomethingWaitsToBeSentNobodyHoldsEverything() {
        let (this, tablet) = (device(1, "laptop"), device(3, "tablet", upTo: wall))
        #expect(facts(pair) { $0.queued = 1 }.summary == "1 message still to be sent to the other device")
        let more = facts(pair) { ($0.queued, $0.isMoreUnsent) = (25, true) }
        #expect(more.summary == "more than 25 messages still to be sent to the other device")
        #expect(facts(pair) { $0.queued = 1 }.verdict == .syncing)
        let many = facts(pair + [tablet]) { $0.queued = 1_200 }.summary
        #expect(many == "1,200 messages still to be sent to the other devices")
        #expect(facts([this, tablet]) { $0.queued = 1 }.verdict == .offline)
        #expect(facts([this]) { $0.queued = 1 }.summary.hasPrefix("no other device is known here"))
        let paused = facts([this, tablet], state: .background) { $0.queued = 1 }
        #expect(paused.headline == "paused: 1 message still to be sent to the other device")
        let both = facts(pair) { ($0.queued, $0.wanted) = (1, lost) }
        #expect(both.summary.hasPrefix("this device still lacks"))
    }

    /// Missing data outweighs data to be sent, and an obstacle outweighs both.
    @Test(
        arguments: [
            (ZoneState.synced, Verdict.upToDate), (.paused(by: "you", since: .init(milliseconds: 1)), .paused),
            (.background, .paused), (.waiting(.storageFull, until: nil), .full), (.waiting(.store, until: nil), .error),
            (.locked, .error), (.error, .error), (.over, .error), (.waiting(.offline, until: nil), .upToDate),
            (nil, .offline),
        ] as [(ZoneState?, Verdict)])
    func anObstacleOutweighsTheRest(state: ZoneState?, verdict: Verdict) {
        let tablet = device(2, "tablet", upTo: wall)
        let calm = facts([device(1, "laptop"), tablet], state: state)
        #expect(calm.verdict == verdict)
        #expect(calm.summary.contains("devices hold everything") == (verdict == .upToDate))
        #expect(calm.summary.contains("held everything when this node last ran") == (state == nil))
        let lacking = facts([device(1, "laptop"), tablet], state: state) { ($0.wanted, $0.queued) = (lost, 1) }
        #expect(lacking.verdict == max(verdict == .upToDate || state == nil ? .incomplete : verdict, verdict))
        #expect(!lacking.summary.contains("hold everything"))
        #expect(!calm.isCaughtUp || verdict == .upToDate || state == nil)
        #expect(facts(pair, state: state) { $0.writing = .fails }.verdict == .error)
    }

    @Test func eachLackIsSaid() {
        let lacks: [((inout ZoneFacts) -> Void, Verdict, String)] = [
            ({ $0.gappedDevices = 1 }, .incomplete, "this device lacks some of what 1 device wrote"),
            ({ $0.placeholders = 2 }, .incomplete, "2 missing messages, known only by id"),
            ({ ($0.placeholders, $0.isSearching) = (1, true) }, .syncing, "1 missing message, known only by id"),
            ({ $0.unreadableSegments = 3 }, .incomplete, "3 segments cannot be read here"),
            ({ $0.unknownRecords = 1 }, .incomplete, "1 record from a newer version cannot be read here"),
            ({ $0.isFetchingRecords = true }, .syncing, "this device is still learning what the others have"),
        ]
        for (change, verdict, summary) in lacks {
            #expect(facts(pair, change).verdict == verdict)
            #expect(facts(pair, change).summary == summary)
        }
        #expect(facts(pair, state: .syncing) { $0.wanted = lost }.verdict == .syncing)
        #expect(facts(pair, state: .waiting(.absentBlobs, until: nil)) { $0.wanted = lost }.verdict == .incomplete)
    }

    @Test func caughtUpIsWhoWaitsForNothing() {
        #expect(facts(pair).isCaughtUp)
        #expect(!facts(pair) { $0.queued = 1 }.isCaughtUp)
        #expect(!facts(pair) { ($0.placeholders, $0.isSearching) = (1, true) }.isCaughtUp)
        // Nobody in reach has it, so there is nothing to wait for.
        #expect(facts(pair) { $0.placeholders = 1 }.isCaughtUp)
        #expect(!facts(pair) { $0.isCompared = false }.isCaughtUp)
        // Nor is there if the other device lacks the same.
        let both = [device(1, "laptop"), device(2, "phone", lacking: true)]
        let absent = facts(both, state: .waiting(.absentBlobs, until: nil)) { $0.wanted = lost }
        #expect(absent.isCaughtUp && absent.verdict == .incomplete)
        #expect(!facts([device(1, "laptop"), device(2, "phone", connected: true)]).isCaughtUp)
    }

    private func problems(
        _ facts: ZoneFacts, code: String? = nil, update: String? = nil, missing: [MissingMessages] = []
    ) -> [AccountProblem] {
        AccountProblem.list(
            facts, code: code, update: update, missing: missing, wall: wall, program: Program(flag: nil))
    }

    @Test func eachProblemSaysWhatToDo() {
        let (this, away) = (device(1, "laptop"), device(2, "phone"))
        #expect(problems(facts(pair)).isEmpty)
        #expect(problems(facts([this])).map(\.code) == ["onlyDevice"])
        let offline = ZoneState.waiting(.offline, until: nil)
        #expect(
            problems(facts([this, away], state: offline, isTrouble: true), code: "offline").map(\.code) == ["offline"])
        #expect(problems(facts([this], state: offline, isTrouble: true), code: "offline").map(\.code) == ["onlyDevice"])
        // Both hold everything, so nobody needs to be in reach.
        let level = device(2, "phone", upTo: wall)
        #expect(problems(facts([this, level], state: offline, isTrouble: true), code: "offline").isEmpty)
        #expect(problems(facts(pair), update: "update kachat-node on phone").map(\.code) == ["otherVersion"])
        let missed = device(3, "tablet", upTo: wall, seen: wall - .seconds(8 * 86_400))
        let rested = device(4, "desktop", upTo: wall, seen: wall - .seconds(6 * 86_400))
        #expect(problems(facts([this, missed, rested])).map(\.code) == ["notSeen"])
        let all = problems(
            facts([this, missed], state: .error, isTrouble: true) {
                ($0.gappedDevices, $0.unreadableSegments, $0.unknownRecords, $0.placeholders) = (1, 1, 2, 3)
            }, code: "storage-damaged", update: "x")
        #expect(
            all.map(\.code) == [
                "storage-damaged", "otherVersion", "notSeen", "recordGaps", "unreadable", "unknownRecords",
                "placeholders",
            ])
        #expect(all.allSatisfy { !$0.what.isEmpty && !$0.remedy.isEmpty })
        #expect(all.first { $0.code == "notSeen" }?.device == "tablet")
        // Only others can heal a damaged record.
        for (orphaned, remedy) in [(0, "update"), (1, "update"), (2, "turn on your other devices")] {
            let found = problems(facts(pair) { ($0.unreadableSegments, $0.orphanedSegments) = (2, orphaned) })
            #expect(found.map(\.code) == ["unreadable"] && found[0].remedy.hasPrefix(remedy))
        }
    }

    /// The possible holders of missing data: devices that were level after it came, though it was written long before,
    /// and its writer, which was not seen for a year.
    @Test func theLikeliestHolderComesFirst() throws {
        let tablet = device(2, "old-tablet", seen: wall - .seconds(365 * 86_400))
        let phone = device(3, "phone", upTo: wall - .seconds(86_400), seen: wall - .seconds(3_600))
        let desktop = device(4, "desktop", upTo: wall - .seconds(2 * 86_400), seen: wall - .seconds(2 * 86_400))
        let behind = device(5, "watch", upTo: wall - .seconds(30 * 86_400), seen: wall)
        let lacking = device(6, "laptop 2", lacking: true, upTo: wall, seen: wall)
        let all = [device(1, "laptop"), tablet, phone, desktop, behind, lacking]
        func segment(_ lane: LaneID, _ messages: Int, days: Int64) -> MissingSegment {
            MissingSegment(
                lane: lane, conversationID: "bob", times: 1_140_739_200...1_141_084_799,
                sum: BlobSum(blobs: 2, messages: messages, bytes: 6_000),
                arrivedAt: wall - .seconds(days * 86_400))
        }
        let segments = [segment(tablet.lane, 60, days: 7), segment(lacking.lane, 40, days: 7)]
        let missing = try #require(MissingMessages(segments, among: all))
        #expect(missing.holders.map(\.shownName) == ["phone", "desktop", "old-tablet"])
        #expect(
            missing.sentence == "100 messages (12 kB) of 2006-02-24 to 2006-02-27 are missing here; "
                + "phone, desktop or old-tablet may have them")
        let parts = MissingMessages.parts(segments, among: all)
        #expect(parts.map(\.sum.messages) == [60, 40])
        #expect(
            parts.map { $0.holders.map(\.shownName) } == [["phone", "desktop", "old-tablet"], ["phone", "desktop"]])
        let told = problems(
            facts([device(1, "laptop"), tablet, phone], state: .waiting(.absentBlobs, until: nil), isTrouble: true),
            code: "absentBlobs", missing: [missing])
        #expect(told.map(\.code) == ["absentBlobs", "notSeen"])
        #expect(told.first?.device == "phone")
    }
}
