import Chat
import Ledger
import Node
import NodeCore
import NodeModel
import SyncState

/// `device show`: the way by which a device was let in, and its state since.
extension Command {
    static let deviceShow = Command(
        "device show", "Explain who let a device in and when, and whether it still belongs to the account",
        examples: ["phone", "9f02aa31 --json"], takes: [device, account],
        at: Endpoint(
            "device", .get, "/v1/devices/{deviceId}", .scope(.chatRead),
            answer: .object(ExplainedDevice.self, shows: ExplainedDeviceText.show)),
        begin: reading { call in
            let zone = try call.account.zone
            let (name, wall) = (try call.need(device), call.clock.wall())
            let found = try call.named(device) { try AccountDevice.found(name, in: zone, wall: wall) }
            return try ExplainedDevice(Device(found, in: zone), in: zone)
        })
}

extension ExplainedDevice {
    fileprivate init(_ device: Device, in zone: AccountZone) throws {
        self.init()
        guard let lane = LaneID(hex: device.deviceId) else { throw DeviceError.unknownDevice }
        (deviceId, name, state, removedAt) = (device.deviceId, device.name, device.state, device.removedAt)
        earlier = Array(device.lanes.dropFirst())
        way = try Self.way(of: lane, in: zone)
        let standing = zone.membership.laneStanding(of: lane)
        if standing == .active, lane != zone.lane {
            let heard = try zone.removal.heard(by: lane)
            let removals = Set(zone.membership.state.removals.values.joined()).subtracting(heard)
            unheard = try removals.sorted().map { .init(deviceId: $0.hex, name: try zone.devices.name(of: $0)) }
        }
        sentence = Self.sentence(standing, way.first, zone.membership)
    }

    private static func way(of lane: LaneID, in zone: AccountZone) throws -> [Step] {
        var way: [Step] = []
        var next: LaneID? = lane
        var seen: Set<LaneID> = []
        while let lane = next, seen.insert(lane).inserted, let entrance = zone.membership.wayIn(of: lane) {
            var step = Step()
            (step.deviceId, step.name) = (lane.hex, try zone.devices.name(of: lane))
            step.by = entrance.by.lane?.hex ?? "phrase"
            step.byName = try entrance.by.lane.flatMap { try zone.devices.name(of: $0) }
            step.at = entrance.at.map { Int($0.milliseconds) }
            way.append(step)
            next = entrance.by.lane
        }
        return way
    }

    private static func sentence(
        _ standing: LedgerState.LaneStanding, _ last: Step?, _ membership: ZoneMembership
    ) -> String {
        switch standing {
        case .active: return "it belongs to the account"
        case .succeeded: return "it has started afresh, and belongs to the account under another id"
        case .removed: return "it was removed, for good: nothing counts that it writes, and nobody talks to it"
        case .left: return "it has left the account"
        case .displaced:
            let lanes = membership.laneFill
            return "it has no place: \(lanes.used) devices were let in, and \(lanes.most) can belong to the account"
        case .lapsed:
            let by = last.map { $0.byName ?? "device " + $0.by.prefix(8) } ?? "a device"
            return
                "it no longer belongs to the account, because \(by), which let it in, no longer does: `account enter` "
                + "on it, or pairing it again, lets it back in"
        case .unknown: return "nobody has let it in, as far as this device knows"
        }
    }
}

private enum ExplainedDeviceText {
    @Sendable static func show(_ device: ExplainedDevice, _ output: Output) {
        func named(_ name: String?, _ id: String) -> String { Terminal.harmless(name ?? "device " + id.prefix(8)) }
        output.line("\(named(device.name, device.deviceId)) (\(device.deviceId.prefix(16))): \(device.sentence).")
        if let removed = Wording.time(device.removedAt) { output.line("This device heard of its removal \(removed).") }
        for step in device.way {
            let by = step.by == "phrase" ? "the recovery phrase" : named(step.byName, step.by)
            let at = Wording.time(step.at).map { ", known here since \($0)" } ?? ""
            output.line("\(named(step.name, step.deviceId)) was let in by \(by)\(at).")
        }
        if !device.unheard.isEmpty {
            let names = device.unheard.map { named($0.name, $0.deviceId) }.joined(separator: ", ")
            output.line("It has not shown yet that it has heard of the removal of \(names).")
        }
        if !device.earlier.isEmpty {
            output.line(
                "Before fresh starts it was \(device.earlier.map { String($0.prefix(16)) }.joined(separator: ", ")).")
        }
    }
}
