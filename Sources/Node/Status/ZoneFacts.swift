import Gossip
import NodeCore
package import NodeModel
import SyncState

/// All that a node knows of an account's data, and the verdict that follows from it. Every statement about the account
/// is derived from this (docs/SYNC.md, §1).
package struct ZoneFacts {
    /// Nil if no node runs, unless this device was shut out: then `over`.
    let state: ZoneState?
    /// The sync state for people.
    package let report: ZoneReport
    /// The reason why nothing can be written.
    var writing = Writing.works
    /// The account's devices; this one is the first.
    package let devices: [DeviceReport]
    /// The time of the last change to the account's data; nil if unknown.
    let changedAt: WallTime?
    /// Number of messages accepted here that this device has sent to nobody yet.
    package var queued = 0
    /// No other device is known to hold all that is archived here, and none is in reach.
    var isMoreUnsent = false
    /// Content whose records are here and whose blobs are not.
    var wanted = BlobSum()
    /// Devices whose later records are here and earlier ones are not.
    var gappedDevices = 0
    /// Messages known only by their ids.
    package var placeholders = 0
    /// Segments that are here and cannot be read.
    var unreadableSegments = 0
    /// Of these, those whose record is damaged.
    var orphanedSegments = 0
    var unknownRecords = 0
    /// A device in reach shows records that are not here yet.
    var isFetchingRecords = false
    /// The devices in reach are being asked for the bodies of placeholders that they were not asked for before.
    var isSearching = false
    /// A device was compared since the start, and all in reach have the same records.
    var isCompared = false

    enum Writing { case works, isOutOfRoom, fails }

    private var others: [DeviceReport] { devices.filter { !$0.isThis } }
    private var connected: [DeviceReport] { others.filter(\.isConnected) }
    /// Devices in reach that announce records that they do not give, or that cannot be taken here.
    private var withholding: [DeviceReport] { others.filter(\.isWithholding) }

    /// Known to hold everything. For a device in reach, what it shows now counts; for the others, whether they held
    /// everything after the last change.
    private func isWhole(_ device: DeviceReport) -> Bool {
        if device.isThis { return !lacks }
        guard !device.isConnected else { return device.isLevel }
        guard let changedAt, let upTo = device.holdsUpTo else { return false }
        // If a look and a change happened in the same millisecond, nobody knows which came first.
        return upTo > changedAt
    }

    /// Something that some device has shown is missing or unreadable here.
    private var lacks: Bool {
        isFetchingRecords || wanted.blobs > 0 || gappedDevices > 0 || placeholders > 0 || unreadableSegments > 0
            || unknownRecords > 0 || !withholding.isEmpty
    }

    // MARK: Verdict
    package var verdict: Verdict {
        if let obstacle { return obstacle }
        guard !lacks else { return isReceiving ? .syncing : .incomplete }
        guard state != nil else { return .offline }
        guard connected.allSatisfy({ $0.isLevel || $0.isStalled }) else { return .syncing }
        guard queued == 0 else { return connected.isEmpty ? .offline : .syncing }
        return others.isEmpty || !others.allSatisfy(isWhole) ? .offline : .upToDate
    }

    /// The verdict if nothing can be sent or fetched at all, whatever there is to send or fetch.
    private var obstacle: Verdict? { Self.obstacle(state, writing) }

    static func obstacle(_ state: ZoneState?, _ writing: Writing) -> Verdict? {
        switch state {
        case .error, .locked, .over, .waiting(.store, _): .error
        case _ where writing == .fails: .error
        case .waiting(.storageFull, _): .full
        case _ where writing == .isOutOfRoom: .full
        case .paused, .background: .paused
        case .idle, .syncing, .synced, .waiting, nil: nil
        }
    }

    /// True if missing messages are on their way, all of them or some.
    private var isReceiving: Bool {
        if isFetchingRecords { return true }
        if wanted.blobs > 0 { return state == .syncing }
        return isSearching && !connected.isEmpty && gappedDevices == 0 && unreadableSegments == 0
            && unknownRecords == 0 && withholding.isEmpty
    }

    /// All devices in reach hold the same, nothing is on its way, and nothing waits to be sent.
    package var isCaughtUp: Bool {
        obstacle == nil && isCompared && queued == 0 && verdict != .syncing && connected.allSatisfy(\.holdsSame)
    }

    // MARK: Words

    /// The verdict in one sentence. It says that all devices hold everything only if the account is up to date.
    package var summary: String {
        if obstacle == .error { return report.sentence }
        if let lack { return lack }
        guard obstacle == nil else { return queued > 0 && devices.count > 1 ? unsent : report.sentence }
        guard devices.count > 1 else { return "no other device is known here: this is the only known copy" }
        if queued > 0 { return unsent }
        let lacking = devices.filter { !isWhole($0) }
        guard !lacking.isEmpty else {
            let all = devices.count == 2 ? "both devices" : "all \(devices.count) devices"
            return all + (state == nil ? " held everything when this node last ran" : " hold everything")
        }
        let are = lacking.allSatisfy(\.isConnected) ? "not yet" : "unknown"
        return "\(devices.count - lacking.count) of \(devices.count) devices hold everything; "
            + Wording.list(lacking.prefix(Limits.namedDevices).map(\.shownName), of: lacking.count) + ": \(are)"
    }

    /// Words for devices in reach that differ, while nothing brings them nearer.
    static func differing(_ devices: [DeviceReport]) -> String {
        let verbs = devices.count == 1 ? (" shows", "it does", "takes") : (" show", "they do", "take")
        return Wording.list(devices.prefix(Limits.namedDevices).map(\.shownName), of: devices.count) + verbs.0
            + (devices.allSatisfy(\.isWithholding)
                ? " records that \(verbs.1) not give, or that cannot be read here"
                : " other records than this device, and \(verbs.2) none of its own")
    }

    private var unsent: String {
        let others = devices.count == 2 ? "other device" : "other devices"
        return (isMoreUnsent ? "more than " : "")
            + "\(Wording.count(queued, "message")) still to be sent to the \(others)"
    }

    /// The summary behind the verdict's title.
    package var headline: String { verdict.said(summary, sentence: report.sentence) }

    /// Words for what this device lacks; nil if it lacks nothing.
    private var lack: String? {
        if wanted.blobs > 0 { return "this device still lacks \(Wording.messages(wanted))" }
        if isFetchingRecords { return "this device is still learning what the others have" }
        if gappedDevices > 0 {
            return "this device lacks some of what \(Wording.count(gappedDevices, "device")) wrote"
        }
        if unreadableSegments > 0 { return "\(Wording.count(unreadableSegments, "segment")) cannot be read here" }
        if unknownRecords > 0 {
            return "\(Wording.count(unknownRecords, "record")) from a newer version cannot be read here"
        }
        if !withholding.isEmpty { return Self.differing(withholding) }
        return placeholders > 0 ? "\(Wording.count(placeholders, "missing message")), known only by id" : nil
    }
}

extension Verdict {
    /// The account's summary behind the verdict's title; alone if it is the state's sentence, which has its own.
    package func said(_ summary: String, sentence: String) -> String {
        summary == sentence ? summary : "\(title): \(summary)"
    }

    /// In the words of a sentence.
    package var title: String {
        switch self {
        case .upToDate: "up to date"
        case .syncing: "syncing"
        case .offline: "not on all devices"
        case .paused: "paused"
        case .incomplete: "incomplete"
        case .full: "no room"
        case .error: "error"
        }
    }
}
