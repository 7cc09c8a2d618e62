import Ledger
package import NodeCore
import SyncState

/// The devices of the account: their descriptions, and which of them are gone.
package final class DevicesPart: AccountPart {
    private static let setting = "description"

    private let context: AccountContext
    private let membership: ZoneMembership
    private let table: DeviceTable
    /// Names given to devices by others.
    let names: GivenNamesPart
    /// Devices that the user has forgotten.
    package let forgotten: ForgottenDevicesPart
    /// Devices with an open session, ascending. Set by the owner of the sessions.
    package internal(set) var connected: [LaneID] = [] {
        didSet { context.chat.queue.ranking.others = connected }
    }
    /// This device's own description.
    package private(set) var description: DeviceDescription?
    /// The root under which this device's description is sealed; nil if it has none.
    private var shownRoot: UInt64?
    /// An hour after this device last showed that it is alive; nil before that was first determined.
    private var nextSignOfLife: MonotonicTime?

    init(_ context: AccountContext, _ membership: ZoneMembership) throws {
        self.context = context
        self.membership = membership
        table = try DeviceTable(database: context.database)
        names = try GivenNamesPart(context)
        forgotten = try ForgottenDevicesPart(context)
    }

    private var lane: LaneID { context.lane }
    private var store: ZoneStore { context.store }

    /// This device first, then the others that are present, by id.
    package func all(wall: WallTime) throws -> [AccountDevice] {
        let others = store.vector.map(\.id).filter { $0 != lane && isPresent($0) }
        return try ([lane] + others).map { try device($0, wall: wall) }
    }

    /// Whether a lane is a present device's: it did not go on in another lane, and its device is neither gone nor
    /// forgotten.
    package func isPresent(_ lane: LaneID) -> Bool {
        membership.laneStanding(of: lane) != .succeeded && !isGone(lane) && !forgotten.contains(lane)
    }

    /// A device that was removed, or left the account.
    package func isGone(_ lane: LaneID) -> Bool {
        switch membership.laneStanding(of: lane) {
        case .removed, .left: true
        case .active, .succeeded, .lapsed, .displaced, .unknown: false
        }
    }

    /// The device that writes a lane, or once wrote it, or was let in with it and never came; nil if there is none.
    package func device(of lane: LaneID, wall: WallTime) throws -> AccountDevice? {
        if let written = try all(wall: wall).first(where: { $0.lanes.contains(lane) }) { return written }
        return membership.laneStanding(of: lane) == .active && isPresent(lane) ? try device(lane, wall: wall) : nil
    }

    /// The known name of a lane's device, even if that is gone.
    package func name(of lane: LaneID) throws -> String? {
        if let given = try names.name(of: lane) { return given.name }
        return lane == self.lane ? description?.name : try table.description(of: lane)?.name
    }

    /// A device's description, with a given name if it has one; nil if its record is not here.
    package func description(of lane: LaneID) throws -> DeviceDescription? {
        guard let record = try store.liveRegister(of: lane, slotName: DeviceDescription.slotName(of: lane)),
            var description = context.read(record, as: DeviceDescription.self)
        else { return nil }
        if let given = try names.name(of: lane) { description.name = given.name }
        return description
    }

    private func device(_ id: LaneID, wall: WallTime) throws -> AccountDevice {
        let isThis = id == lane
        var description = isThis ? self.description : try table.description(of: id)
        if let given = try names.name(of: id) { description?.name = given.name }
        let isConnected = connected.contains(id)
        return AccountDevice(
            lanes: try chain(from: id, description), description: description, isThisDevice: isThis,
            isConnected: isConnected, lastSeenAt: isThis || isConnected ? wall : description?.lastSeenAt)
    }

    private func chain(from id: LaneID, _ description: DeviceDescription?) throws -> [LaneID] {
        var lanes = [id]
        var next = description?.predecessor
        while let lane = next, !lanes.contains(lane), lanes.count < SyncState.Limits.lanes {
            lanes.append(lane)
            next = try table.description(of: lane)?.predecessor
        }
        return lanes
    }

    // MARK: This device

    /// Writes this device's description if it changed.
    package func describe(name: String, appVersion: String, wall: WallTime) throws {
        guard description?.name != name || description?.appVersion != appVersion else { return }
        description = DeviceDescription(
            name: name, appVersion: appVersion, lastSeenAt: wall, predecessor: description?.predecessor)
        try write()
    }

    /// Sets the name under which the other devices see this one.
    package func rename(_ name: String, wall: WallTime) throws {
        guard (1...Limits.deviceNameBytes).contains(name.utf8.count) else { throw DeviceError.nameTooLong }
        try describe(name: name, appVersion: description?.appVersion ?? "", wall: wall)
        // A name given by another device would take precedence over its own.
        if try names.name(of: lane) != nil { try names.give(name, to: lane) }
    }

    /// Writes this device's description under the present root, which shows the others that it has heard of all
    /// removals that the root covers.
    func describeAgain() throws {
        if shownRoot != context.sealer.current.id { try write() }
    }

    /// The root under which a device last described itself; nil if that is not here.
    func root(of lane: LaneID) throws -> ZoneRoot? {
        try store.liveRegister(of: lane, slotName: DeviceDescription.slotName(of: lane)).flatMap(
            context.sealer.root)
    }

    private func write(predecessor: LaneID? = nil) throws {
        guard var description else { return }
        description.predecessor = predecessor ?? description.predecessor
        self.description = description
        try store.begin()
        try context.write(description)
        shownRoot = context.sealer.current.id
        try store.put(setting: Self.setting, description.encoded)
    }

    /// When this device next shows that it is alive: once an hour, or sooner if it was forgotten, since somebody took
    /// it for gone. Nil before that was first determined.
    package var signOfLifeDeadline: MonotonicTime? {
        nextSignOfLife.map { forgotten.contains(lane) ? $0 - Limits.signOfLife + Limits.signOfLifeLeast : $0 }
    }

    /// Tells the others that this device is alive. Uses the monotonic clock while running; across restarts, the time
    /// last published.
    package func showSignOfLife(now: MonotonicTime) throws {
        guard var description else { return }
        guard let due = signOfLifeDeadline else {
            let since = store.wall - description.lastSeenAt
            // Corrects a time in the future, published with a wrong clock.
            nextSignOfLife = since < .zero ? now : now + max(.zero, Limits.signOfLife - since)
            return
        }
        guard due <= now else { return }
        nextSignOfLife = now + Limits.signOfLife
        description.lastSeenAt = store.wall
        self.description = description
        try write()
    }

    // MARK: The others

    /// Gives a device of the account a name on all devices; it need not be in reach.
    ///
    /// - Throws: `DeviceError`.
    package func rename(_ id: LaneID, to name: String, wall: WallTime) throws {
        guard (1...Limits.deviceNameBytes).contains(name.utf8.count) else { throw DeviceError.nameTooLong }
        guard let device = try device(of: id, wall: wall)?.id else { throw DeviceError.unknownDevice }
        try store.begin()
        try names.give(name, to: device)
    }

    /// Forgets a device that is gone, until it shows up again. That does not erase what it holds, nor shut anybody out.
    ///
    /// - Returns: the device that was forgotten.
    /// - Throws: `DeviceError`.
    @discardableResult
    package func forget(_ id: LaneID, wall: WallTime) throws -> AccountDevice {
        guard let device = try device(of: id, wall: wall) else {
            guard forgotten.contains(id) else { throw DeviceError.unknownDevice }
            return AccountDevice(gone: id, description: try description(of: id))
        }
        guard !device.isThisDevice else { throw DeviceError.thisDevice }
        try store.begin()
        try forgotten.forget(device.lanes[0])
        return device
    }

    // MARK: Registers

    func held(_ content: DeviceDescription, in lane: LaneID) throws {
        try table.put(content, lane: lane)
        context.changes.note(.device, device: lane)
    }

    func isTaken(_ content: DeviceDescription, in lane: LaneID) throws -> Bool {
        try table.description(of: lane) == content
    }

    /// Makes this device describe itself again; it cannot do that for another one.
    func rowsLost(in lane: LaneID) throws {
        guard try store.liveRegister(of: lane, slotName: DeviceDescription.slotName(of: lane)) == nil else { return }
        if lane == self.lane { return try write() }
        try table.forget(lane)
        context.changes.note(.device, device: lane)
    }

    func republish(from old: LaneID) throws { try write(predecessor: old) }

    func reload() throws {
        description = try store.setting(Self.setting).map { try DeviceDescription(encoded: $0) }
        shownRoot = try root(of: lane)?.id
    }
}
