import Glibc
package import NodeCore
import SyncState

/// Creates a home, its identity and the zone of its first account.
package enum NewHome {
    /// Creates the home, its identity and the account's zone.
    ///
    /// - Parameter addition: the account; nil for a new one.
    /// - Returns: the node, with its one account.
    package static func make(
        _ home: HomeFolder, name: String, _ addition: AccountAddition?, clock: any Clock, environment: Environment
    ) throws(NodeError) -> LocalNode {
        let (lock, identity, isNew) = try begin(home, name: name)
        let node = try LocalNode(home: home, lock: lock, identity: identity, clock: clock, environment: environment)
        do throws(NodeError) {
            let added = if let addition { addition } else { try AccountAddition.new() }
            try node.add(added, label: nil)
            return node
        } catch {
            node.close()
            if isNew { unlink(home.identityPath) }
            throw error
        }
    }

    /// Creates the home and its identity, without an account: pairing brings one.
    package static func makeWithoutAccount(_ home: HomeFolder, name: String) throws(NodeError) {
        _ = try begin(home, name: name)
    }

    /// An identity without accounts, saved; a new one, or one that was left so.
    private static func begin(
        _ home: HomeFolder, name: String
    ) throws(NodeError) -> (lock: HomeLock, identity: Identity, isNew: Bool) {
        _ = try unfinished(home)
        try home.create()
        let lock = try HomeLock(home)
        var random = SystemRandom()
        let earlier = try unfinished(home)
        UnfinishedRestore(home: home).discard()
        let identity = Identity(
            deviceSecret: earlier?.deviceSecret ?? Secret(random: &random, count: 32), deviceName: name, accounts: [])
        try IdentityFile.save(identity, to: home)
        return (lock, identity, earlier == nil)
    }

    /// The identity of a home without accounts: left by an `init` that was killed, or after the last account was
    /// removed.
    private static func unfinished(_ home: HomeFolder) throws(NodeError) -> Identity? {
        guard home.hasIdentity else { return nil }
        let identity = try IdentityFile.load(from: home)
        guard identity.accounts.isEmpty else {
            throw NodeError(
                .alreadyInitialised, "\(home.path) already has an identity; choose another folder with --home DIR")
        }
        return identity
    }

    /// Validates a device name.
    package static func checked(name: String) throws(NodeError) -> String {
        guard name.utf8.count <= Limits.deviceNameBytes, !name.unicodeScalars.contains(where: { $0.value < 0x20 })
        else {
            throw NodeError(
                .usage, "\(parameter: "--name") must be one line of at most \(Limits.deviceNameBytes) bytes")
        }
        return name
    }
}
