import Chat
import Ledger
import Node
import NodeCore
import NodeModel
import SyncState

/// `device remove`: once the whole phrase or key is here it shuts the device out, gives the connected devices a moment
/// to hear of it, and says which have.
final class DeviceRemoveOperation: Operation {
    let changesData = true
    private let call: Call
    private let account: NodeAccount
    private let parameter: Parameter<String>
    private let device: String
    private let since: WallTime?
    private let input: SignerInput
    /// What was done, and how long the others are waited for.
    private var done: (removed: RemovedDevice, until: MonotonicTime)?

    init(_ call: Call, _ device: Parameter<String>, since: String?) throws {
        (self.call, parameter, self.device) = (call, device, try call.need(device))
        account = try call.account
        self.since = since.flatMap { PastTime.wall($0, now: call.clock.wall()) }
        input = SignerInput(call)
    }

    func step(input lines: inout InputLines, reply: inout CommandReply, now: MonotonicTime) throws -> OperationProgress
    {
        let zone = account.zone
        if done == nil, try input.take(&lines) { done = (try remove(), now + Limits.removalWait) }
        guard let done else { return .needsInput }
        let unheard = try zone.removal.unheard()
        guard now >= done.until || !unheard.contains(where: zone.devices.connected.contains) else {
            return .waiting(until: min(done.until, now + .milliseconds(20)))
        }
        var removed = done.removed
        try removed.note(zone, wall: call.clock.wall())
        reply.data(removed)
        return .done
    }

    private func remove() throws -> RemovedDevice {
        let (zone, wall) = (account.zone, call.clock.wall())
        let signer = try call.node.signer(of: account) { () throws(NodeError) in try input.signer() }
        let found = try call.named(parameter) { try AccountDevice.found(device, in: zone, wall: wall) }
        // Found first: the device's own records, which name its lanes, may be taken back with the rest.
        let line = zone.membership.state.line(of: zone.membership.key(of: found.lanes[0])).map(\.lane)
        let lanes = try call.node.groups.lanes(of: Set(line + found.lanes), in: account)
        let undone = try zone.removal.remove(found.lanes[0], since: since, by: signer)
        var removed = RemovedDevice(found)
        removed.since = since.map { Int($0.milliseconds) }
        (removed.withdrawnMessages, removed.undoneChanges) = (undone.messages, undone.changes)
        let groups = call.node.groups.remove(lanes, since: since, of: account, by: signer)
        removed.groups = lanes.count - groups.failed.count
        removed.failedGroups = groups.failed.map(\.title)
        removed.unsortedGroups = groups.unsorted.map(\.title)
        return removed
    }
}
