import NodeCore
import SyncState

/// Records that show why somebody is a member, from the handshake: until they come by replication, and count for
/// nothing else than who is talked to.
extension GroupZone {
    private static let vouchersKey = "vouchers"

    /// The group as far as is known from the records held, and from what peers showed.
    var doorState: GroupState {
        if vouched.isEmpty { return state }
        if let knownDoorState { return knownDoorState }
        let state = GroupState(group: zone, records: Array(controls.values) + Array(vouched.values))
        knownDoorState = state
        return state
    }

    /// Keeps what a joiner was welcomed with, or why a member is none any more.
    func keep(vouchers: [ControlRecord]) throws {
        guard !vouchers.isEmpty else { return }
        let encoded = Voucher.encode(vouchers)
        take(vouchers: vouchers)
        // More than can be read again is known until the next start, and then heard anew.
        guard vouchers.count <= Limits.vouchers, encoded.count <= Limits.joinMessageBytes else { return }
        try store.put(
            setting: Self.vouchersKey,
            XChaChaPoly.seal(encoded, associatedData: zone.bytes, key: vaultKey, random: &random))
    }

    func take(vouchers: [ControlRecord]) {
        for record in vouchers where controls[record.hash] == nil && record.group == zone {
            vouched[record.hash] = record
        }
        knownDoorState = nil
    }

    func loadVouchers() throws {
        guard let sealed = try store.setting(Self.vouchersKey) else { return }
        do {
            take(vouchers: try Voucher.decode(XChaChaPoly.open(sealed, associatedData: zone.bytes, key: vaultKey)))
        } catch {
            throw StoreError.damaged("the group's vouchers")
        }
    }
}
