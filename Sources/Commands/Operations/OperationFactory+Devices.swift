import Chat
import Node
import NodeCore
import SyncState

/// `peers` and `device …`
extension OperationFactory {
    func deviceOperation(_ request: ControlRequest) throws(NodeError) -> (any ControlOperation)? {
        switch request.command {
        case "peers": return try peers(request)
        case "device list":
            let zone = try account(request).zone
            return ImmediateOperation { [clock = node.clock] reply, _ in
                for device in try zone.devices.all(wall: clock.wall()) { reply.data(device.json) }
            }
        case "device rename": return try rename(request)
        case "device address":
            let network = try running()
            return ImmediateOperation { [service] reply, _ in
                let addresses = network.joinHints.map(\.description)
                var fields: [String: JSONValue] = [
                    "addresses": .array(addresses.map { .string($0) }),
                    "text": .string(addresses.joined(separator: " ")),
                ]
                if request.has("--qr"), let text = addresses.isEmpty ? nil : addresses.joined(separator: " ") {
                    fields["qr"] = .optional(service.qr(text)?.svg)
                }
                reply.data(.object(fields))
            }
        case "device forget": return try forget(request)
        default: return nil
        }
    }

    private func peers(_ request: ControlRequest) throws(NodeError) -> any ControlOperation {
        let network = try running()
        let account = request.has(OptionSpec.account.name) ? try account(request) : nil
        return ImmediateOperation { reply, _ in
            for peer in account.map(network.peers) ?? network.peers { reply.data(peer) }
        }
    }

    /// The own name is the device's, so all accounts of the node tell it; another's is what this account calls it.
    private func rename(_ request: ControlRequest) throws(NodeError) -> any ControlOperation {
        let name = request.text("NAME") ?? ""
        guard request.has("--device") else {
            return ImmediateOperation(changesData: true) { [node] reply, _ in
                try node.rename(name)
                reply.data(.object(["name": .string(name)]))
            }
        }
        let zone = try account(request).zone
        let text = try idText(request, "--device")
        return ImmediateOperation(changesData: true) { [node] reply, _ in
            let wall = node.clock.wall()
            let device = try Self.device(text, of: zone, wall: wall)
            if device.isThisDevice {
                try node.rename(name)
            } else {
                try zone.devices.rename(device.lanes[0], to: name, wall: wall)
            }
            reply.data(.object(["deviceId": .optional(device.id?.hex), "name": .string(name)]))
        }
    }

    /// What is done to a device is not to hang on a slip of the finger.
    private func idText(_ request: ControlRequest, _ name: String) throws(NodeError) -> String {
        let text = request.text(name) ?? ""
        guard text.utf8.count >= Limits.forgottenIDDigits else {
            throw NodeError(
                .usage,
                "\(name) must be at least \(Limits.forgottenIDDigits) digits of an id; see `kachat-node device list`")
        }
        return text
    }

    private static func device(_ text: String, of zone: AccountZone, wall: WallTime) throws -> AccountDevice {
        let found = try zone.devices.all(wall: wall).filter { device in
            device.lanes.contains { $0.hex.hasPrefix(text.lowercased()) }
        }
        guard let device = found.first else {
            throw NodeError(.notFound, "no device's id begins with `\(text)`; see `kachat-node device list`")
        }
        guard found.count == 1 else {
            throw NodeError(.usage, "several devices' ids begin with `\(text)`; give more of it")
        }
        return device
    }

    private func forget(_ request: ControlRequest) throws(NodeError) -> any ControlOperation {
        let zone = try account(request).zone
        let text = try idText(request, "ID")
        return ImmediateOperation(changesData: true) { [clock = node.clock] reply, _ in
            let wall = clock.wall()
            let id = try Self.device(text, of: zone, wall: wall).lanes[0]
            let device = try zone.devices.forget(id, wall: wall)
            reply.data(
                .object(["deviceId": .string(id.hex), "name": .optional(device.description?.name)]))
            reply.note(
                "The device keeps what it holds, and whoever has the recovery phrase can come back with it, as a new "
                    + "device. What it archived stays here.")
        }
    }
}
