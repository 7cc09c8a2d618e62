import Gossip
import NodeCore
import NodeModel
import SyncState

/// The problems that keep an account from being complete on all its devices.
extension AccountProblem {
    init(code: String, what: String, device: DeviceReport? = nil, remedy: String, command: String? = nil) {
        self.init()
        self.code = code
        self.what = what
        self.device = device?.shownName
        deviceId = device?.lane.hex
        self.remedy = remedy
        self.command = command
    }

    /// The problems of an account.
    ///
    /// - Parameters:
    ///   - code: the code of the wait or fault; nil if the report shows no trouble.
    ///   - update: the device with another protocol version, if any.
    ///   - missing: content that nobody in reach can supply, grouped by the devices that may have it.
    ///   - program: the way to write commands.
    static func list(
        _ facts: ZoneFacts, code: String?, update: String?, missing: [MissingMessages] = [], wall: WallTime,
        program: Program
    ) -> [AccountProblem] {
        var problems: [AccountProblem] = []
        let report = facts.report
        let code = code ?? report.state
        // Nobody needs to be in reach of an account that is up to date. Without other devices, none can be. Missing
        // messages are a separate problem.
        let isIdle = facts.verdict == .upToDate || (code == "offline" && facts.devices.count == 1)
        if report.isTrouble, !isIdle, code != "absentBlobs" || missing.isEmpty {
            let (remedy, command) = help(code, report, program)
            problems.add(code, what: report.sentence, remedy: remedy, command: report.command ?? command)
        }
        for missing in missing {
            problems.add(
                "absentBlobs", what: missing.sentence, device: missing.holders.first,
                remedy: missing.remedy(isBusy: code == "busy"))
        }
        if let update, update != report.sentence {
            problems.add("otherVersion", what: update, remedy: help("otherVersion", report, program).remedy)
        }
        if facts.devices.count == 1, facts.state != .over {
            // A backup of a damaged store would fail.
            let canBackUp = facts.verdict != .error
            problems.add(
                "onlyDevice", what: "no other device is known to hold a copy of this account",
                remedy: "bring another device into reach" + (canBackUp ? ", or make a backup" : ""),
                command: canBackUp ? program.command("backup FILE") : nil)
        }
        for device in facts.devices where !device.isThis && !device.isConnected {
            guard let seen = device.seen, wall - seen > Limits.deviceMissedAfter else { continue }
            problems.add(
                "notSeen", what: "not seen since \(Wording.time(seen))", device: device,
                remedy: "switch it on near another of your devices; if it is gone for good, forget it")
        }
        if facts.gappedDevices > 0 {
            problems.add(
                "recordGaps",
                what: "earlier records of \(Wording.count(facts.gappedDevices, "device")) are missing here",
                remedy: "turn on your other devices; what they have arrives automatically")
        }
        if facts.unreadableSegments > 0 {
            let isHealed = facts.unreadableSegments == facts.orphanedSegments
            problems.add(
                "unreadable",
                what: "\(Wording.count(facts.unreadableSegments, "segment")) cannot be read here",
                // Other devices heal damage; a newer version reads what none here can.
                remedy: isHealed
                    ? "turn on your other devices; what they have arrives automatically"
                    : "update kachat-node on this device, or look for damage",
                command: isHealed ? nil : program.command("scrub"))
        }
        if facts.unknownRecords > 0 {
            problems.add(
                "unknownRecords",
                what: "\(Wording.count(facts.unknownRecords, "record")) from a newer version, kept unread",
                remedy: "update kachat-node on this device")
        }
        if facts.placeholders > 0 {
            problems.add(
                "placeholders",
                what: "\(Wording.count(facts.placeholders, "missing message")), known only by id",
                remedy: facts.placeholders == 1
                    ? "turn on the device that has it; it arrives automatically"
                    : "turn on the devices that have them; they arrive automatically")
        }
        return problems
    }

    /// What to do about a state or a fault, and the command for it unless the report has it.
    private static func help(
        _ code: String, _ report: ZoneReport, _ program: Program
    ) -> (remedy: String, command: String?) {
        switch code {
        case "paused", "background": ("resume syncing", nil)
        case "offline":
            ("nothing, if your other devices are off; otherwise check that they are on the same network", nil)
        case "stalled":
            (
                "look for damage, here and there, and restart kachat-node on both; if that device is in somebody "
                    + "else's hands, shut it out", program.command("scrub")
            )
        case "busy": ("nothing if it is busy: it continues by itself; if its storage is full, make room there", nil)
        case "otherVersion": ("install the newest kachat-node there", nil)
        // The command that raises a quota.
        case "storageFull": (report.command == nil ? "free space on this device's disk" : "raise the quota", nil)
        case "removed": ("make a new home, in which it is a new device", nil)
        case "lapsed": ("let it in by the recovery phrase", nil)
        case "locked": ("put the identity file back, with mode 0600", nil)
        case NodeError.Code.storageDamaged.rawValue: (NodeError.damageRemedy, NodeError.damageCommands(program))
        default: ("look into the diagnostics", program.command("diagnostics"))
        }
    }
}

extension [AccountProblem] {
    mutating func add(
        _ code: String, what: String, device: DeviceReport? = nil, remedy: String, command: String? = nil
    ) {
        append(AccountProblem(code: code, what: what, device: device, remedy: remedy, command: command))
    }
}
