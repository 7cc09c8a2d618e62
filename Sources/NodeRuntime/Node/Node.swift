import NodeCore
import SyncState

/// A node of this process, with or without its network: the home, who we are, and the account's zone. One thread.
final class Node {
    let home: HomeFolder
    let identity: Identity
    let account: AccountZone
    let clock: any Clock
    /// While the node runs; commands that work in their own process have none.
    weak var network: NodeNetwork?
    /// Why nothing can be written at the moment; nil while all is well.
    var fault: NodeError?

    private let lock: HomeLock
    private let database: Database

    /// Opens the home's data. The lock is held as long as the node lives.
    init(home: HomeFolder, lock: HomeLock, identity: Identity, clock: any Clock) throws(NodeError) {
        guard let first = identity.accounts.first else {
            throw NodeError(.noIdentity, "there is no account in \(home.path): run `kachat-node init`")
        }
        self.home = home
        self.lock = lock
        self.identity = identity
        self.clock = clock
        let keys = try Node.keys(of: first)
        do {
            let path = home.databasePath(of: keys.zone)
            database = try Database(path: path)
            account = try AccountZone(
                database: database, keys: keys, deviceSecret: identity.deviceSecret, random: SystemRandom(),
                now: clock.now())
            account.store.wall = clock.wall()
            let guardFile = GuardFile(databasePath: path)
            try guardFile.write(try account.checkGuard(guardFile.content, place: guardFile.place))
            try account.describe(
                name: identity.deviceName, appVersion: VersionCommand.version, wall: clock.wall())
            try account.commit()
        } catch let error as FileError {
            throw home.notWritable(error)
        } catch {
            throw NodeError(cause: error)
        }
    }

    private static func keys(of account: Identity.Account) throws(NodeError) -> AccountKeys {
        switch account.secret {
        case .phrase(let entropy): AccountKeys(seed: try RecoveryPhrase.seed(entropy: entropy))
        case .root(let key): AccountKeys(walletKey: key)
        }
    }

    /// Makes durable what was changed; on failure nothing of it remains.
    func commit() throws(NodeError) {
        do {
            try account.commit()
        } catch {
            rollback()
            throw NodeError(cause: error)
        }
    }

    func rollback() {
        // A store that cannot be read any more says so at the next call.
        try? account.rollback()
    }

    /// Leaves the files as a next start wants them: derived parts written, the log moved into the database.
    func close() {
        do {
            try account.commit()
            try account.chat.flush()
            try account.store.tidy()
            try database.checkpoint()
        } catch {
            // All of this is derived anew at the next start.
            rollback()
        }
    }

    /// Carries out commands in this process, when no node runs.
    func localLink() -> LocalLink {
        LocalLink(
            session: makeSession(), clock: clock, commit: { [self] () throws(NodeError) in try commit() },
            rollback: { [self] in rollback() })
    }

    func makeSession() -> ControlSession {
        ControlSession { [factory = OperationFactory(node: self)] request throws(NodeError) in
            try factory.make(request)
        }
    }
}
