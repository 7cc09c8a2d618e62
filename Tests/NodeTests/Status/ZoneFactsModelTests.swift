import Gossip
import NodeCore
import NodeModel
import SyncState
import TestScale
import Testing

@testable import Chat
@testable import Node

/// Random histories of two to four devices. The model knows who holds what; the first device knows only what the others
/// have shown it. Its verdict's claims are checked against the truth after each step.
@Suite struct ZoneFactsModelTests {
    @Test(arguments: TestScale.seeds("VERDICTS", usual: 400, proof: 40_000))
    func theVerdictIsTrue(seeds: [UInt64]) {
        for seed in seeds {
            let history = DeviceHistory(seed: seed)
            var verdicts: Set<Verdict> = []
            for step in 0..<120 {
                history.pass()
                let problems = history.problems()
                verdicts.insert(history.facts.verdict)
                guard problems.isEmpty else {
                    Issue.record("step \(step): \(problems.joined(separator: "; ")): VERDICTS=\(seed)..\(seed)")
                    return
                }
            }
            #expect(verdicts.count > 1, "a history in which nothing happens: VERDICTS=\(seed)..\(seed)")
        }
    }
}

/// The devices and what happens to them. Device 0 is the one whose verdict is examined.
private final class DeviceHistory {
    /// The numbers of segments whose records and blobs a device holds, and its messages that are in no segment.
    private struct Copy {
        var rows: Set<Int> = []
        var blobs: Set<Int> = []
        var queue: Set<Int> = []
    }

    private struct Segment {
        let writer: Int
        let messages: Set<Int>
        let sentAt: UInt64
    }

    private var random: SeededRandom
    private var wall = WallTime(milliseconds: 1_800_000_000_000)
    private var segments: [Segment] = []
    private var copies: [Copy]
    private var messages = 0
    private var forgotten: Set<Int> = []
    /// The devices connected with device 0.
    private var linked: Set<Int> = []

    // The notes of device 0.
    private var arrivals: [Int: WallTime] = [:]
    private var levels: [Int: WallTime] = [:]
    private var changedAt: WallTime?
    private var obstacle: ZoneState?
    private var writing = ZoneFacts.Writing.works
    private var placeholders = 0
    private var unreadable = 0

    // The sets that the others have shown, and what they held when they did.
    private var shown: [Int: Set<Int>] = [:]
    private var heldWhenLevel: [Int: Set<Int>] = [:]

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        copies = Array(repeating: Copy(), count: 2 + Int(seed % 3))
    }

    private var others: [Int] { copies.indices.filter { $0 > 0 && !forgotten.contains($0) } }
    private var wanted: Set<Int> { copies[0].rows.subtracting(copies[0].blobs) }

    private func held(by device: Int) -> Set<Int> {
        copies[device].blobs.reduce(into: copies[device].queue) { $0.formUnion(segments[$1].messages) }
    }

    private func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
    private func any(_ numbers: [Int]) -> Int? { numbers.isEmpty ? nil : numbers[below(numbers.count)] }

    // MARK: Events

    func pass() {
        wall = wall + .milliseconds(1 + below(2_000))
        switch below(20) {
        case 0...2: add(to: below(copies.count))
        case 3: flush(below(copies.count))
        case 4...5: if obstacle == nil, let device = any(others) { linked.insert(device) }
        case 6: if let device = any(linked.sorted()) { linked.remove(device) }
        case 7...12: if let device = any(linked.sorted()), writing == .works { meet(0, device, all: below(3) > 0) }
        case 13: if let one = any(others), let other = any(others), one != other { meet(one, other, all: true) }
        case 14: rot(below(copies.count))
        case 15: block()
        case 16: (obstacle, writing) = (nil, .works)
        case 17: placeholders = below(3) == 0 ? 1 : 0
        case 18: unreadable = below(3) == 0 ? 1 : 0
        default:
            if copies.count > 2, below(8) == 0, let device = any(others), !linked.contains(device) {
                forgotten.insert(device)
            }
        }
        look()
    }

    private func add(to device: Int) {
        copies[device].queue.insert(messages)
        messages += 1
        if device == 0 { changedAt = wall }
    }

    private func flush(_ device: Int) {
        guard !copies[device].queue.isEmpty else { return }
        // An import has messages that were sent years ago, or just now.
        let sentAt = UInt64(wall.milliseconds / 1_000) - UInt64(below(2) * below(400_000_000))
        segments.append(Segment(writer: device, messages: copies[device].queue, sentAt: sentAt))
        copies[device].queue = []
        take(row: segments.count - 1, at: device)
        copies[device].blobs.insert(segments.count - 1)
    }

    private func take(row: Int, at device: Int) {
        guard copies[device].rows.insert(row).inserted, device == 0 else { return }
        arrivals[row] = wall
    }

    /// Exchanges records, then blobs: all of them, or some before the connection breaks.
    private func meet(_ one: Int, _ other: Int, all: Bool) {
        if all || below(2) == 0 { flush(one) }
        for (taker, giver) in [(one, other), (other, one)] {
            // The newest may come before earlier ones.
            for row in copies[giver].rows.sorted(by: >) where all || below(3) > 0 { take(row: row, at: taker) }
            for blob in copies[taker].rows.intersection(copies[giver].blobs).sorted(by: >)
            where all || below(3) == 0 {
                if copies[taker].blobs.insert(blob).inserted, taker == 0 { changedAt = wall }
            }
        }
    }

    private func rot(_ device: Int) {
        if let blob = any(copies[device].blobs.sorted()) { copies[device].blobs.remove(blob) }
    }

    private func block() {
        let closed: [ZoneState] = [.paused(by: "you", since: wall), .background, .locked, .error, .over]
        switch below(closed.count + 3) {
        case closed.count: obstacle = .waiting(.storageFull, until: nil)
        case closed.count + 1: writing = .isOutOfRoom
        case closed.count + 2: writing = .fails
        case let number:
            obstacle = closed[number]
            linked = []
        }
    }

    // MARK: What device 0 sees

    private func isLacking(_ device: Int) -> Bool {
        linked.contains(device) && !wanted.intersection(copies[device].rows).isSubset(of: copies[device].blobs)
    }

    private func holdsSame(_ device: Int) -> Bool {
        linked.contains(device) && copies[device].rows == copies[0].rows && copies[0].queue.isEmpty
    }

    private func isLevel(_ device: Int) -> Bool {
        holdsSame(device) && copies[0].blobs.isSubset(of: copies[device].blobs) && !isLacking(device)
    }

    private func look() {
        for device in linked where isLevel(device) {
            levels[device] = wall
            heldWhenLevel[device] = held(by: device)
            for row in copies[0].rows { shown[row, default: []].insert(device) }
        }
    }

    /// The number of devices of which device 0 has a record and lacks an earlier one.
    private var gappedDevices: Int {
        others.count { writer in
            let written = segments.indices.filter { segments[$0].writer == writer }
            guard let newest = written.last(where: copies[0].rows.contains) else { return false }
            return written.contains { $0 < newest && !copies[0].rows.contains($0) }
        }
    }

    private var showsMoreRows: Bool {
        linked.contains { !copies[$0].rows.isSubset(of: copies[0].rows) }
    }

    private var state: ZoneState {
        if let obstacle { return obstacle }
        if linked.isEmpty { return .waiting(.offline, until: nil) }
        let isEqual = linked.allSatisfy { copies[$0].rows == copies[0].rows }
        guard isEqual, copies[0].queue.isEmpty else { return .syncing }
        if wanted.isEmpty { return .synced }
        let isComing = linked.contains { !copies[$0].blobs.isDisjoint(with: wanted) }
        return isComing ? .syncing : .waiting(.absentBlobs, until: nil)
    }

    private func report(_ device: Int) -> DeviceReport {
        DeviceReport(
            lane: Self.lane(device), name: nil, isThis: device == 0,
            isConnected: device == 0 || linked.contains(device),
            isLevel: device == 0 || isLevel(device), isLacking: device > 0 && isLacking(device),
            holdsSame: device == 0 || holdsSame(device), seen: nil,
            holdsUpTo: device == 0 || isLevel(device) ? wall : levels[device], wanted: BlobSum())
    }

    private static func lane(_ device: Int) -> LaneID {
        LaneID(bytes: [UInt8](repeating: UInt8(device + 1), count: 32)) ?? .zero
    }

    var facts: ZoneFacts {
        let sentence = "the state's sentence"
        var facts = ZoneFacts(
            state: state,
            report: ZoneReport(state: state.name, sentence: sentence, isTrouble: false, since: nil, until: nil),
            devices: ([0] + others).map(report), changedAt: changedAt)
        facts.writing = writing
        facts.queued = copies[0].queue.count
        facts.wanted = wanted.reduce(BlobSum()) { $0 + sum($1) }
        facts.gappedDevices = gappedDevices
        facts.placeholders = placeholders
        facts.unreadableSegments = unreadable
        facts.isFetchingRecords = showsMoreRows
        return facts
    }

    private func sum(_ row: Int) -> BlobSum {
        BlobSum(blobs: 1, messages: segments[row].messages.count, bytes: 100)
    }

    private func missing(_ row: Int) -> MissingSegment {
        let segment = segments[row]
        return MissingSegment(
            lane: Self.lane(segment.writer), conversationID: "\(row)", times: segment.sentAt...segment.sentAt,
            sum: sum(row), arrivedAt: arrivals[row])
    }

    // MARK: The truth

    /// Whether a device holds everything that device 0 holds; for one that is away, when it last showed that.
    private func holdsAll(_ device: Int) -> Bool {
        held(by: 0).isSubset(of: linked.contains(device) ? held(by: device) : heldWhenLevel[device] ?? [])
    }

    /// Whether device 0 holds everything that it was shown.
    private var isComplete: Bool {
        wanted.isEmpty && placeholders == 0 && unreadable == 0 && gappedDevices == 0 && !showsMoreRows
    }

    private var isWell: Bool { isComplete && copies[0].queue.isEmpty && obstacle == nil && writing == .works }

    func problems() -> [String] {
        let facts = facts
        var problems: [String] = []
        func demand(_ holds: Bool, _ what: @autoclosure () -> String) { if !holds { problems.append(what()) } }
        let isUpToDate = facts.verdict == .upToDate
        if isUpToDate {
            demand(isWell, "up to date, and something is missing or stands in the way")
            demand(others.allSatisfy(holdsAll), "up to date, and a device lacks something")
        }
        demand(facts.verdict != .offline || isComplete, "offline, and something is missing: \(facts.summary)")
        demand(
            !(isWell && !others.isEmpty && others.allSatisfy(isLevel)) || isUpToDate,
            "\(facts.verdict), and all is well")
        let summary = facts.summary
        if let number = summary.split(separator: " ").first.flatMap({ Int($0) }), summary.contains("hold everything") {
            demand(number <= (isComplete ? 1 : 0) + others.count(where: holdsAll), summary)
        } else {
            demand(!summary.contains("hold everything") || isUpToDate, "\(facts.verdict): \(summary)")
        }
        demand(
            copies[0].queue.isEmpty || !wanted.isEmpty || facts.verdict != .offline || others.isEmpty
                || summary.contains("still to be sent"), "what is queued is not said: \(summary)")
        demand(!facts.isCaughtUp, "caught up without a comparison")
        return problems + partProblems(facts.devices)
    }

    /// Each missing segment is in one part, with exactly the devices that showed that they hold it.
    private func partProblems(_ devices: [DeviceReport]) -> [String] {
        let segments = wanted.sorted().map(missing)
        let parts = MissingMessages.parts(segments, among: devices)
        guard parts.reduce(0, { $0 + $1.sum.blobs }) == wanted.count else {
            return ["a part is missing, or is told twice"]
        }
        let told = Dictionary(grouping: parts) { Set($0.holders.map(\.lane)) }.mapValues {
            $0.reduce(0) { $0 + $1.sum.blobs }
        }
        let known = Dictionary(grouping: wanted) { row in
            Set(
                others.filter { device in
                    !isLacking(device) && (self.segments[row].writer == device || shown[row]?.contains(device) == true)
                }.map(Self.lane))
        }.mapValues(\.count)
        return told == known ? [] : ["told \(told.keys.map(\.count)), and it is \(known.keys.map(\.count))"]
    }
}
