import NodeCore
import NodeModel
import SyncState

/// The problems that keep an account from being complete on all its devices.
extension AccountProblem {
    init(code: String, what: String, device: String? = nil, deviceID: LaneID? = nil, remedy: String) {
        self.init()
        self.code = code
        self.what = what
        self.device = device
        deviceId = deviceID?.hex
        self.remedy = remedy
    }

    /// The problems of an account.
    ///
    /// - Parameters:
    ///   - code: the code of the wait or fault; nil if the report shows no trouble.
    ///   - update: the device with another protocol version, if any.
    ///   - missing: content that nobody in reach can supply, apart by the devices that may have it.
    ///   - program: the way to call the program in advice; `account` as in `Program.command`.
    static func list(
        _ facts: ZoneFacts, code: String?, update: String?, missing: [MissingMessages] = [], wall: WallTime,
        program: Program, account: String?
    ) -> [AccountProblem] {
        var problems: [AccountProblem] = []
        let report = facts.report
        let code = code ?? report.state
        // Nobody needs to be in reach of an account that is up to date. Without other devices, none can be. Missing
        // messages are a separate problem.
        let isIdle = facts.verdict == .upToDate || (code == "offline" && facts.devices.count == 1)
        if report.isTrouble, !isIdle, code != "absentBlobs" || missing.isEmpty {
            let remedy = remedy(code, program, account)
            problems.append(AccountProblem(code: code, what: report.sentence, remedy: remedy))
        }
        for missing in missing {
            problems.append(
                AccountProblem(
                    code: "absentBlobs", what: missing.sentence, device: missing.holders.first?.shownName,
                    deviceID: missing.holders.first?.lane, remedy: missing.remedy))
        }
        if let update, update != report.sentence {
            problems.append(
                AccountProblem(
                    code: "otherVersion", what: update, remedy: remedy("otherVersion", program, account)))
        }
        if facts.devices.count == 1 {
            // A backup of a damaged store would fail.
            let backup = facts.verdict == .error ? "" : ", or make a backup with \(program.command("backup FILE"))"
            problems.append(
                AccountProblem(
                    code: "onlyDevice", what: "no other device is known to hold a copy of this account",
                    remedy: "bring another device into reach" + backup))
        }
        for device in facts.devices where !device.isThis && !device.isConnected {
            guard let seen = device.seen, wall - seen > Limits.deviceMissedAfter else { continue }
            problems.append(
                AccountProblem(
                    code: "notSeen", what: "not seen since \(Wording.time(seen))", device: device.shownName,
                    deviceID: device.lane,
                    remedy: "switch it on near another of your devices; if it is gone for good, forget it"))
        }
        if facts.gappedDevices > 0 {
            problems.append(
                AccountProblem(
                    code: "recordGaps",
                    what: "earlier records of \(Wording.count(facts.gappedDevices, "device")) are missing here",
                    remedy: "turn on your other devices; what they have arrives automatically"))
        }
        if facts.unreadableSegments > 0 {
            problems.append(
                AccountProblem(
                    code: "unreadable",
                    what: "\(Wording.count(facts.unreadableSegments, "segment")) cannot be read here",
                    // Other devices heal damage; a newer version reads what none here can.
                    remedy: facts.unreadableSegments == facts.orphanedSegments
                        ? "turn on your other devices; what they have arrives automatically"
                        : "update kachat-node on this device; \(program.command("scrub")) looks for damage"))
        }
        if facts.unknownRecords > 0 {
            problems.append(
                AccountProblem(
                    code: "unknownRecords",
                    what: "\(Wording.count(facts.unknownRecords, "record")) from a newer version, kept unread",
                    remedy: "update kachat-node on this device"))
        }
        if facts.placeholders > 0 {
            problems.append(
                AccountProblem(
                    code: "placeholders",
                    what: "\(Wording.count(facts.placeholders, "missing message")), known only by id",
                    remedy: facts.placeholders == 1
                        ? "turn on the device that has it; it arrives automatically"
                        : "turn on the devices that have them; they arrive automatically"))
        }
        return problems
    }

    private static func remedy(_ code: String, _ program: Program, _ account: String?) -> String {
        switch code {
        case "paused": "resume with \(program.command("account resume", account: account))"
        case "background": "resume with \(program.command("foreground"))"
        case "offline": "nothing, if your other devices are off; otherwise check that they are on the same network"
        case "busy": "nothing: it continues by itself"
        case "otherVersion": "install the newest kachat-node there"
        case "storageFull": "free space on this device's disk, or raise the quota"
        case "removed": "`kachat-node init --phrase-file F --home DIR` makes a new home, in which it is a new device"
        case "lapsed": "let it in by the recovery phrase, with \(program.command("account enter", account: account))"
        case "locked": "put the identity file back, with mode 0600"
        case NodeError.Code.storageDamaged.rawValue: NodeError.damageRemedy(program)
        default: "see \(program.command("diagnostics"))"
        }
    }
}
