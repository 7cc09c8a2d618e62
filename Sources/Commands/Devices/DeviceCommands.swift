import Chat
import Ledger
import Node
import NodeCore
import NodeModel
import SyncState

/// `device …`
extension Command {
    static let devices: [Command] = [deviceList, deviceShow, deviceRename, deviceAddress, deviceRemove, deviceForget]

    static let device = Parameter.text(
        "DEVICE", .text("DEVICE"), "its name, its id, or the beginning of the id"
    ).named("deviceId")

    static let deviceList = Command(
        "device list", "List the account's devices: last seen, and how far each is synced",
        examples: ["", "--json"], takes: [account],
        at: Endpoint(
            "devices", .get, "/v1/devices", .scope(.chatRead), answer: .list(of: Device.self, as: DeviceText.list)),
        begin: listing { call in
            let account = try call.account
            let reports = try account.devices(call.node.network?.served(account), clock: call.clock)
            return try Device.all(in: account.zone, wall: call.clock.wall()).map { $0.seen(in: reports) }
        })

    /// This device's name is the same in all accounts; another device's name is this account's.
    static let deviceRename: Command = {
        let name = Parameter.text("NAME", .line("NAME", bytes: Node.Limits.deviceNameBytes), "at most 128 bytes")
        let device = Parameter.text(
            "--device", .text("DEVICE"),
            "another device, by name, id or the beginning of the id; it need not be in reach"
        ).named("deviceId").placed("DEVICE")
        let answer = Answer.done(DeviceName.self) { renamed in
            "\(renamed.deviceId == nil ? "This" : "The") device is now \(Terminal.harmless(renamed.name))."
        }
        return Command(
            "device rename", "Rename a device on all your devices", examples: ["laptop", "9f02aa31 tablet"],
            takes: [device, name, account],
            at: [
                Endpoint(
                    "renameDevice", .patch, "/v1/device", .scope(.admin),
                    "Rename this device for all your devices", takes: [name], answer: answer),
                Endpoint(
                    "renameOtherDevice", .patch, "/v1/devices/{deviceId}", .scope(.admin),
                    "Rename a device of the account for all your devices; it need not be in reach",
                    takes: [device, name], answer: answer),
            ],
            begin: changing { call, _ in
                let (zone, name, wall) = (try call.account.zone, try call.need(name), call.clock.wall())
                let device = try call[device].map { name in
                    try call.named(device) { try AccountDevice.found(name, in: zone, wall: wall) }
                }
                if let device, !device.isThisDevice {
                    try zone.devices.rename(device.lanes[0], to: name, wall: wall)
                } else {
                    try call.node.rename(name)
                }
                return DeviceName { ($0.deviceId, $0.name) = (device?.id?.hex, name) }
            })
    }()

    static let deviceAddress: Command = {
        let qr = Parameter.text("--qr", .text("FILE"), "write the QR code to FILE, which ends in .svg or .png")
        return Command(
            "device address", "Show the addresses of this device, for `--peer` on a new device",
            examples: ["", "--qr address.svg"], takes: [qr], on: .node, needsRunningNode: true,
            at: Endpoint(
                "deviceAddress", .get, "/v1/device/address", .scope(.chatRead),
                "Show the addresses of this device, for a new device",
                takes: [qr.requested(.given, help: "include a QR code")],
                answer: .object(DeviceAddress.self) { address, output in
                    for text in address.addresses { output.line(text) }
                }),
            begin: reading { call in
                let network = try call.network
                return DeviceAddress {
                    $0.addresses = network.joinHints.map(\.description)
                    $0.text = $0.addresses.joined(separator: " ")
                    if call.has(qr), !$0.addresses.isEmpty { $0.qr = call.service.qr($0.text)?.svg }
                }
            })
    }()

    static let deviceRemove: Command = {
        let since = Parameter.text(
            "--since", .form("TIME", .past),
            "when you last had it (a day is its beginning, in UTC): what came from it later is undone "
                + "(default: nothing is)"
        ).requested(.time)
        return Command(
            "device remove", "Shut out a lost, stolen or sold device for good",
            examples: ["phone", "phone --since 12h", "9f02aa31 --since 2026-11-21T08:30:00Z --phrase-file phrase.txt"],
            takes: [device, since, account, SignerInput.phraseFile, SignerInput.walletKey],
            at: SignerInput.endpoints(
                "removeDevice", "/v1/devices/{deviceId}/removal", "Shut a device out for good, by",
                takes: [device, since],
                answer: .object(RemovedDevice.self, shows: DeviceText.removed))
        ) { call in try DeviceRemoveOperation(call, device, since: call[since]) }
    }()

    static let deviceForget = Command(
        "device forget", "Forget a device that is gone for good, without shutting it out; its messages stay",
        examples: ["tablet", "9f02aa31"], takes: [device, account],
        at: Endpoint(
            "forgetDevice", .delete, "/v1/devices/{deviceId}", .scope(.admin),
            answer: .done(ForgottenDevice.self) {
                $0.name.map { "Forgot device \(Terminal.harmless($0))." } ?? "Forgot the device."
            })
    ) { call in
        atOnce(changesData: true) { reply, _ in
            let (zone, wall) = (try call.account.zone, call.clock.wall())
            let name = try call.need(device)
            let lane = try call.named(device) { try AccountDevice.found(name, in: zone, wall: wall) }.lanes[0]
            let forgotten = try zone.devices.forget(lane, wall: wall)
            reply.data(ForgottenDevice { ($0.deviceId, $0.name) = (lane.hex, forgotten.description?.name) })
            reply.note(
                "This shuts nobody out: the device keeps its data, and comes back if it is started again. If "
                    + "it was lost or stolen, remove it instead. What it archived stays here.")
        }
    }
}

extension AccountDevice {
    /// This device first, then those that came; after them those that never did; and last those that were removed,
    /// forgotten, left or lapsed before they wrote anything.
    fileprivate static func all(in zone: AccountZone, wall: WallTime) throws -> [AccountDevice] {
        let came = try zone.devices.all(wall: wall)
        let known = Set(came.flatMap(\.lanes))
        let unmet = zone.membership.state.standingLanes.map(\.lane).filter { !known.contains($0) }
        let present = try came + unmet.compactMap { try zone.devices.device(of: $0, wall: wall) }
        let shown = Set(present.flatMap(\.lanes))
        let gone = zone.membership.state.enteredLanes.map(\.lane).filter { lane in
            switch zone.membership.laneStanding(of: lane) {
            case .removed, .left, .lapsed: !shown.contains(lane)
            case .active, .displaced: zone.devices.forgotten.contains(lane)
            case .succeeded, .unknown: false
            }
        }
        return try present + gone.map { AccountDevice(gone: $0, description: try zone.devices.description(of: $0)) }
    }

    /// The device with that name or id, now or before a fresh start, or whose id begins so.
    static func found(_ text: String, in zone: AccountZone, wall: WallTime) throws -> AccountDevice {
        let all = try all(in: zone, wall: wall)
        // A new phone may have the name of the one that was removed.
        return try Naming<AccountDevice>(
            "device", list: "kachat-node device list", ids: { $0.lanes.map(\.hex) }, name: { $0.description?.name },
            rank: { $0.lanes.contains(where: zone.devices.isPresent) ? 1 : 0 }
        ).find(text, in: all)
    }
}

extension Device {
    fileprivate static func all(in zone: AccountZone, wall: WallTime) throws -> [Device] {
        try AccountDevice.all(in: zone, wall: wall).map { try Device($0, in: zone) }
    }

    init(_ device: AccountDevice, in zone: AccountZone) throws {
        self.init(device)
        guard let lane = device.id else { return }
        let membership = zone.membership
        let standing = membership.laneStanding(of: lane)
        state = standing == .active && zone.devices.forgotten.contains(lane) ? DeviceText.forgotten : standing.rawValue
        enteredBy = membership.endorser(of: lane).map { $0 == .person ? "phrase" : $0.lane?.hex ?? "" }
        enteredAt = membership.enteredAt(lane).map { Int($0.milliseconds) }
        enteredByName = try membership.endorser(of: lane)?.lane.flatMap { try zone.devices.name(of: $0) }
        removedAt = membership.removedAt(lane).map { Int($0.milliseconds) }
        if !thisDevice, !connected, let seen = try zone.store.peerNote(lane)?.seen {
            lastSeenAt = Int(seen.milliseconds)
        }
        heardRemovals = try zone.removal.heard(by: lane).map(\.hex).sorted()
    }

    private init(_ device: AccountDevice) {
        self.init()
        deviceId = device.id?.hex ?? ""
        name = device.description?.name
        appVersion = device.description?.appVersion
        thisDevice = device.isThisDevice
        connected = device.isConnected
        lastSeenAt = device.lastSeenAt.map { Int($0.milliseconds) }
        lanes = device.lanes.map(\.hex)
    }

    /// Adds what `status` knows.
    fileprivate func seen(in reports: [DeviceReport]) -> Device {
        guard let report = reports.first(where: { $0.lane.hex == deviceId }) else { return self }
        var copy = self
        copy.holdsUpTo = report.holdsUpTo.map { Int($0.milliseconds) }
        if let seen = report.seen { copy.lastSeenAt = Int(seen.milliseconds) }
        return copy
    }
}

extension RemovedDevice {
    init(_ device: AccountDevice) {
        self.init()
        removed = device.lanes[0].hex
        name = device.description?.name
    }

    /// Tells who has heard of it so far.
    mutating func note(_ zone: AccountZone, wall: WallTime) throws {
        let unheard = try zone.removal.unheard().map(\.hex)
        let active = LedgerState.LaneStanding.active.rawValue
        for other in try Device.all(in: zone, wall: wall) where other.state == active {
            let named = Named(deviceId: other.deviceId, name: other.name)
            if unheard.contains(other.deviceId) { self.unheard.append(named) } else { heard.append(named) }
        }
    }
}

enum DeviceText {
    /// The state of a device that the user has forgotten.
    static let forgotten = "forgotten"

    @Sendable static func removed(_ device: RemovedDevice, _ output: Output) {
        func names(_ devices: [RemovedDevice.Named]) -> String {
            devices.map { Terminal.harmless($0.name ?? String($0.deviceId.prefix(8))) }.joined(separator: ", ")
        }
        let name = Terminal.harmless(device.name ?? String(device.removed.prefix(8)))
        output.line("\(name) is shut out: it cannot read anything written from now on. It keeps what it has read.")
        if let since = device.since {
            output.line(
                "Undone since \(Wording.minute(since)) UTC: \(Wording.count(device.withdrawnMessages, "message")) "
                    + "that it archived, and \(Wording.count(device.undoneChanges, "change")) that it made.")
        }
        if device.groups > 0 {
            let undone =
                device.since != nil && device.groups > device.unsortedGroups.count
                ? "; the results and changes that it brought there since then are undone" : ""
            output.sentence("It is shut out of \(Wording.count(device.groups, "group")) of yours, too\(undone).")
        }
        if !device.failedGroups.isEmpty {
            let titles = device.failedGroups.map { Terminal.harmless($0) }.joined(separator: ", ")
            output.line("It could not be shut out of \(titles): ask the owner to remove you there, and join again.")
        }
        if !device.unsortedGroups.isEmpty {
            let titles = device.unsortedGroups.map { Terminal.harmless($0) }.joined(separator: ", ")
            output.line(
                "In \(titles) all results stay that came from it: this device joined later, and cannot tell which came "
                    + "before.")
        }
        let all = device.heard.count + device.unheard.count
        if device.unheard.isEmpty {
            output.line(
                all > 1 ? "All your devices have heard of it: \(names(device.heard))." : "No other device is left.")
        } else {
            output.line("Heard by \(device.heard.count) of your \(all) devices: \(names(device.heard)).")
            let (hears, writes) = device.unheard.count == 1 ? ("it hears", "it writes") : ("they hear", "they write")
            output.line(
                "Not yet by \(names(device.unheard)): \(hears) of it within seconds of meeting one that has. "
                    + "Until then \(name) can read what \(writes). "
                    + output.program.command("device show \(device.unheard[0].deviceId.prefix(16))")
                    + " shows whether it has heard.")
        }
    }

    static let list = ListColumns<Device>(
        whenEmpty: "No devices.",
        [
            .text("DEVICE", .shortened(to: 8)) { ($0.name ?? "?") + ($0.thisDevice ? " (this one)" : "") },
            .text("ID") { String($0.deviceId.prefix(16)) },
            .cell("SEEN (UTC)") { device in
                if device.thisDevice { return "" }
                return device.connected
                    ? TextTable.Cell("connected", .good) : TextTable.Cell(seen(device))
            },
            .text("HOLDS ALL UP TO") { $0.holdsUpTo.map(Wording.minute) ?? "-" },
            .cell("STATE", .wrapped(at: 10)) { state($0) },
        ])

    /// When a device was last here; `-` for one that is out, if that is unknown.
    private static func seen(_ device: Device) -> String {
        let isIn = device.state == LedgerState.LaneStanding.active.rawValue
        return device.lastSeenAt.map(Wording.minute) ?? (isIn ? "never" : "-")
    }

    private static func state(_ device: Device) -> TextTable.Cell {
        guard device.state == LedgerState.LaneStanding.active.rawValue else {
            let at = device.removedAt.map { ", known since " + Wording.minute($0) } ?? ""
            return TextTable.Cell(device.state + at, .warning)
        }
        let by =
            device.enteredBy == "phrase"
            ? "the phrase" : device.enteredByName ?? device.enteredBy.map { String($0.prefix(8)) }
        let at = device.enteredAt.map { ", known since " + Wording.minute($0) } ?? ""
        return TextTable.Cell(by.map { "let in by \($0)\(at)" } ?? "")
    }
}
