import NodeCore
import NodeModel
import SyncState
import Testing

@testable import Node

@Suite struct ZoneSummaryTests {
    private let wall = WallTime(milliseconds: 1_800_000_000_000)

    private func device(
        _ number: UInt8, _ name: String?, level: Bool = false, lacking: Bool = false, upTo: WallTime? = nil,
        seen: WallTime? = nil
    ) -> DeviceReport {
        DeviceReport(
            lane: LaneID(bytes: [UInt8](repeating: number, count: 32)) ?? .zero, name: name, isThis: number == 1,
            isConnected: level || lacking || number == 1, isLevel: level || number == 1, isLacking: lacking,
            seen: seen, holdsUpTo: upTo, wanted: BlobSum())
    }

    private func summary(
        _ devices: [DeviceReport], state: String = "synced", isTrouble: Bool = false, wanted: BlobSum = BlobSum(),
        queued: Int = 0
    ) -> ZoneSummary {
        ZoneSummary(
            devices: devices, changedAt: wall - .seconds(60),
            report: ZoneReport(state: state, sentence: "a sentence", isTrouble: isTrouble, since: nil, until: nil),
            isComplete: wanted.blobs == 0, wanted: wanted, queued: queued)
    }

    @Test func itSaysWhoHoldsEverything() {
        let this = device(1, "laptop")
        #expect(summary([this]).text == "no other device has connected yet: this is the only known copy")
        #expect(summary([this, device(2, "phone", level: true)]).text == "both devices hold everything")
        // Away, and level since the last change.
        let tablet = device(3, "tablet", upTo: wall - .seconds(30))
        #expect(summary([this, device(2, "phone", level: true), tablet]).text == "all 3 devices hold everything")
        let old = device(3, "tablet", upTo: wall - .seconds(90))
        #expect(
            summary([this, device(2, "phone", level: true), old]).text
                == "2 of 3 devices hold everything; tablet: unknown")
        let many = (3...7).map { device($0, nil) }
        #expect(summary([this] + many).text.hasSuffix("device 05050505 and 2 more: unknown"))
        let wanted = BlobSum(blobs: 2, messages: 1_200, bytes: 34_000)
        #expect(summary([this, tablet], wanted: wanted).text == "this device still lacks 1,200 messages (34 kB)")
    }

    @Test func whileSomethingWaitsToBeSentNobodyHoldsEverything() {
        let (this, phone) = (device(1, "laptop"), device(2, "phone", level: true))
        let tablet = device(3, "tablet", upTo: wall)
        #expect(summary([this, phone], queued: 1).text == "1 message still to be sent to the other device")
        let many = summary([this, phone, tablet], queued: 1_200).text
        #expect(many == "1,200 messages still to be sent to the other devices")
        #expect(summary([this], queued: 1).text.hasPrefix("no other device has connected yet"))
        let wanted = BlobSum(blobs: 2, messages: 1_200, bytes: 34_000)
        #expect(summary([this, phone], wanted: wanted, queued: 1).text.hasPrefix("this device still lacks"))
    }

    private func codes(_ summary: ZoneSummary, code: String? = nil, update: String? = nil) -> [String] {
        AccountProblem.list(
            summary, code: code, update: update, unreadableSegments: 0, unknownRecords: 0, placeholders: 0, wall: wall,
            program: Program(flag: nil), account: nil
        ).map(\.code)
    }

    @Test func eachProblemSaysWhatToDo() {
        let (this, phone) = (device(1, "laptop"), device(2, "phone", level: true))
        #expect(codes(summary([this, phone])) == [])
        #expect(codes(summary([this])) == ["onlyDevice"])
        let offline = summary([this, phone], state: "waiting", isTrouble: true)
        #expect(codes(offline, code: "offline") == ["offline"])
        #expect(codes(summary([this], state: "waiting", isTrouble: true), code: "offline") == ["onlyDevice"])
        #expect(codes(summary([this, phone]), update: "update kachat-node on phone") == ["otherVersion"])
        let missed = device(3, "tablet", upTo: wall, seen: wall - .seconds(8 * 86_400))
        let rested = device(4, "desktop", upTo: wall, seen: wall - .seconds(6 * 86_400))
        #expect(codes(summary([this, missed, rested])) == ["notSeen"])
        let all = AccountProblem.list(
            summary([this, missed], state: "error", isTrouble: true), code: "storage-damaged", update: "x",
            unreadableSegments: 1, unknownRecords: 2, placeholders: 3, wall: wall, program: Program(flag: nil),
            account: nil)
        #expect(
            all.map(\.code) == [
                "storage-damaged", "otherVersion", "notSeen", "unreadable", "unknownRecords", "placeholders",
            ])
        #expect(all.allSatisfy { !$0.what.isEmpty && !$0.remedy.isEmpty })
        #expect(all.first { $0.code == "notSeen" }?.device == "tablet")
    }

    /// Who may have what is missing: the writer that was not seen for a year comes behind the phone that held all.
    @Test func theLikeliestHolderComesFirst() {
        let newest = wall - .seconds(7 * 86_400)
        let tablet = device(2, "old-tablet", seen: wall - .seconds(365 * 86_400))
        let phone = device(3, "phone", upTo: wall - .seconds(86_400), seen: wall - .seconds(3_600))
        let desktop = device(4, "desktop", upTo: wall - .seconds(2 * 86_400), seen: wall - .seconds(2 * 86_400))
        let behind = device(5, "watch", upTo: wall - .seconds(30 * 86_400), seen: wall)
        let lacking = device(6, "laptop 2", lacking: true, upTo: wall, seen: wall)
        let all = [device(1, "laptop"), tablet, phone, desktop, behind, lacking]
        let holders = all.holders(of: [tablet.lane, lacking.lane], upTo: newest.milliseconds / 1_000)
        #expect(holders.map(\.shownName) == ["phone", "desktop", "old-tablet"])
        let missing = MissingMessages(
            sum: BlobSum(blobs: 4, messages: 100, bytes: 12_000), times: 1_140_739_200...1_141_084_799, holders: holders
        )
        #expect(
            missing.sentence == "100 messages (12 kB) of 2006-02-24 to 2006-02-27 are missing here; "
                + "phone, desktop or old-tablet may have them")
        let problems = AccountProblem.list(
            summary([device(1, "laptop"), tablet, phone], state: "waiting", isTrouble: true), code: "absentBlobs",
            update: nil, missing: missing, unreadableSegments: 0, unknownRecords: 0, placeholders: 0, wall: wall,
            program: Program(flag: nil), account: nil)
        #expect(problems.map(\.code) == ["absentBlobs", "notSeen"])
        #expect(problems.first?.device == "phone")
    }
}
