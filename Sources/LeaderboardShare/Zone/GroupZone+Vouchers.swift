import NodeCore
import SyncState

/// Records from the handshake that prove a membership. Until they arrive by replication, they only decide who is talked
/// to.
extension GroupZone {
    private static let vouchersKey = "vouchers"

    /// The group as known from held records and from vouchers of peers.
    var doorState: GroupState {
        if vouched.isEmpty { return state }
        if let knownDoorState { return knownDoorState }
        let state = GroupState(group: zone, records: Array(contents.controls.values) + Array(vouched.values))
        knownDoorState = state
        return state
    }

    /// Keeps the vouchers of a joiner's welcome, or the records that ended a membership.
    func keep(vouchers: [ControlRecord]) throws {
        guard !vouchers.isEmpty else { return }
        let encoded = Voucher.encode(vouchers)
        take(vouchers: vouchers)
        // Vouchers that are too large to be read again are known only until the next start, and then received again.
        guard vouchers.count <= Limits.vouchers, encoded.count <= Limits.joinMessageBytes else { return }
        try store.put(
            setting: Self.vouchersKey,
            XChaChaPoly.seal(encoded, associatedData: zone.bytes, key: vaultKey, random: &random))
    }

    func take(vouchers: [ControlRecord]) {
        for record in vouchers where contents.controls[record.hash] == nil && record.group == zone {
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
