import Chat
import Node
import NodeCore
import NodeModel
import SyncState

/// `device …`
extension Command {
    static let devices: [Command] = [deviceList, deviceRename, deviceAddress, deviceForget]

    static let deviceList = Command(
        "device list", "List the account's devices: when each was there, and up to when it has everything",
        examples: ["kachat-node device list", "kachat-node device list --json"], takes: [account],
        at: [
            Endpoint(
                "devices", .get, "/v1/devices", .scope(.chatRead),
                "The account's devices: when each was there, and up to when it has everything",
                answer: .list(of: Device.self, shows: DeviceText.line))
        ]
    ) { call throws(NodeError) in
        let (zone, clock) = (try call.account.zone, call.clock)
        return listing { try zone.devices.all(wall: clock.wall()).map(Device.init) }
    }

    /// The own name is the device's, so all accounts of the node tell it; another's is what this account calls it.
    static let deviceRename: Command = {
        let name = Parameter.text("NAME", .line("NAME", bytes: Node.Limits.deviceNameBytes), "at most 128 bytes")
        let device = Parameter.text(
            "--device", .text("ID"), "another device of the account; it need not be in reach"
        ).named("deviceId")
        let answer = Answer.done(DeviceName.self) { renamed in
            "\(renamed.deviceId == nil ? "This" : "The") device is now \(Terminal.harmless(renamed.name))."
        }
        return Command(
            "device rename", "Give a device another name, for all your devices to see",
            examples: [
                "kachat-node device rename laptop", "kachat-node device rename tablet --device 9f02aa31",
            ],
            takes: [name, account, device],
            at: [
                Endpoint(
                    "renameDevice", .patch, "/v1/device", .scope(.admin),
                    "Give this device another name, for all devices to see", takes: [name], answer: answer),
                Endpoint(
                    "renameOtherDevice", .patch, "/v1/devices/{deviceId}", .scope(.admin),
                    "Give a device of the account another name, for all devices to see; it need not be in reach",
                    takes: [device.requested(help: "its id, or the beginning of it"), name], answer: answer),
            ]
        ) { call throws(NodeError) in
            let (node, zone, name) = (call.node, try call.account.zone, try call.need(name))
            var renamed = DeviceName()
            renamed.name = name
            guard call.has(device) else {
                return changing { _ in
                    try node.rename(name)
                    return renamed
                }
            }
            let id = try AccountDevice.beginning(device, call)
            return changing { _ in
                let wall = node.clock.wall()
                let device = try AccountDevice.named(id, of: zone, wall: wall)
                if device.isThisDevice {
                    try node.rename(name)
                } else {
                    try zone.devices.rename(device.lanes[0], to: name, wall: wall)
                }
                renamed.deviceId = device.id?.hex
                return renamed
            }
        }
    }()

    static let deviceAddress: Command = {
        let qr = Parameter.text("--qr", .text("FILE"), "write the QR code to FILE, which ends in .svg or .png")
        return Command(
            "device address", "Show where other devices reach this one, for `--peer` on a new device",
            examples: ["kachat-node device address", "kachat-node device address --qr address.svg"],
            takes: [qr], on: .node, needsRunningNode: true,
            at: [
                Endpoint(
                    "deviceAddress", .get, "/v1/device/address", .scope(.chatRead),
                    "Where other devices reach this one, for a new device to be told",
                    takes: [qr.requested(.given, help: "with a QR code of it")],
                    answer: .object(DeviceAddress.self) { address, output in output.fields(address, ["addresses"]) })
            ]
        ) { call throws(NodeError) in
            let network = try call.network
            return reading {
                var address = DeviceAddress()
                address.addresses = network.joinHints.map(\.description)
                address.text = address.addresses.joined(separator: " ")
                if call.has(qr), !address.addresses.isEmpty { address.qr = call.service.qr(address.text)?.svg }
                return address
            }
        }
    }()

    static let deviceForget: Command = {
        let id = Parameter.text("ID", .text("ID"), "its id, or the beginning of it").named("deviceId")
        return Command(
            "device forget", "Let a device go that does not come back; its messages stay",
            examples: ["kachat-node device forget 9f02"], takes: [id, account],
            at: [
                Endpoint(
                    "forgetDevice", .delete, "/v1/devices/{deviceId}", .scope(.admin),
                    "Let a device go that does not come back; its messages stay", takes: [id],
                    answer: .done(ForgottenDevice.self) {
                        "Let go: \($0.name.map { Terminal.harmless($0) } ?? "a device")."
                    })
            ]
        ) { call throws(NodeError) in
            let (zone, clock) = (try call.account.zone, call.clock)
            let text = try AccountDevice.beginning(id, call)
            return ImmediateOperation(changesData: true) { reply, _ in
                let wall = clock.wall()
                let lane = try AccountDevice.named(text, of: zone, wall: wall).lanes[0]
                var forgotten = ForgottenDevice()
                forgotten.deviceId = lane.hex
                forgotten.name = try zone.devices.forget(lane, wall: wall).description?.name
                reply.data(forgotten)
                reply.note(
                    "The device keeps what it holds, and whoever has the recovery phrase can come back with it, as a "
                        + "new device. What it archived stays here.")
            }
        }
    }()
}

extension AccountDevice {
    /// What is done to a device is not to hang on a slip of the finger.
    fileprivate static func beginning(_ parameter: Parameter<String>, _ call: Call) throws(NodeError) -> String {
        let text = try call.need(parameter)
        guard text.utf8.count >= Limits.forgottenIDDigits else {
            let least = Limits.forgottenIDDigits
            throw .wrong(
                parameter, "must be at least \(least) digits of an id\(advice: "; see `kachat-node device list`")")
        }
        return text
    }

    /// The one device whose id begins so.
    fileprivate static func named(_ text: String, of zone: AccountZone, wall: WallTime) throws -> AccountDevice {
        let found = try zone.devices.all(wall: wall).filter { device in
            device.lanes.contains { $0.hex.hasPrefix(text.lowercased()) }
        }
        guard let device = found.first else {
            throw NodeError(
                .notFound, "no device's id begins with `\(text)`\(advice: "; see `kachat-node device list`")")
        }
        guard found.count == 1 else {
            throw NodeError(.usage, "several devices' ids begin with `\(text)`; give more of it")
        }
        return device
    }
}

extension Device {
    fileprivate init(_ device: AccountDevice) {
        self.init()
        deviceId = device.id?.hex ?? ""
        name = device.description?.name
        appVersion = device.description?.appVersion
        thisDevice = device.isThisDevice
        connected = device.isConnected
        lastSeenAt = device.lastSeenAt.map { Int($0.milliseconds) }
        holdsUpTo = device.holdsUpTo.map { Int($0.milliseconds) }
        lanes = device.lanes.map(\.hex)
    }
}

/// How devices look on a terminal.
enum DeviceText {
    @Sendable static func line(_ device: Device, _ output: Output) {
        func time(_ milliseconds: Int?) -> String {
            milliseconds.map { CivilTime(milliseconds: Int64($0)).text } ?? "-"
        }
        let name = Output.padded(Terminal.harmless(device.name ?? "?"), 16)
        let seen = device.connected ? "connected" : "seen " + time(device.lastSeenAt)
        output.line(
            "\(device.deviceId.prefix(16))  \(name)  \(Output.padded(device.thisDevice ? "this device" : seen, 22))  "
                + "holds everything up to \(time(device.holdsUpTo))")
    }
}
