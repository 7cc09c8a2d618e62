package import Ledger
package import NodeCore
package import SyncState

/// The account's first record and first root, which each of its devices holds for ever (docs/PROTOCOL.md, §3). Later
/// roots come by the ledger.
package struct AccountKeys: Sendable {
    /// The first record of the account's ledger.
    package let genesis: LedgerRecord
    /// The person who owns the account. Its key is on no device.
    package let identity: PersonID
    package let firstRoot: ZoneRoot
    /// The hash of genesis.
    package let zone: ZoneID
    package let accountID: AccountID
    /// Names slots; the same under all roots, so that a rotation does not move them.
    package let slotKey: Secret
    /// Seals messages waiting for their segment; the same under all roots, so that a rotation locks nothing.
    package let queueKey: Secret
    /// Seals a device's pending joins, which wait for a member.
    let joinKey: Secret

    /// Nil unless `genesis` begins an account.
    package init?(genesis: LedgerRecord, firstRoot secret: Secret) {
        guard case .genesis(.account(let identity, _)) = genesis.act else { return nil }
        self.genesis = genesis
        self.identity = identity
        zone = genesis.home
        accountID = AccountID(identity.storage)
        firstRoot = ZoneRoot(rotate: genesis.hash, secret: secret)
        slotKey = HKDF.derive(firstRoot.reading, "account/slot")
        queueKey = HKDF.derive(firstRoot.reading, "account/queue")
        joinKey = HKDF.derive(firstRoot.reading, "account/joins")
    }
}

extension RecordSealer {
    package convenience init(_ keys: AccountKeys) {
        self.init(zone: keys.zone, first: keys.firstRoot, slotKey: keys.slotKey)
    }
}
