package import Chat
import Ledger
import NodeCore
import SyncState

/// The keys of an account's person, for the few commands that need that person's signature. The node keeps them no
/// longer than the command takes.
extension LocalNode {
    /// - Parameter typed: reads the words or the wallet's key.
    /// - Throws: `bad-phrase`; `other-account` for the words of another account; `too-many-tries` after three wrong
    ///   ones within a minute.
    package func signer(
        of account: NodeAccount, from typed: () throws(NodeError) -> AccountSigner
    ) throws(NodeError) -> AccountSigner {
        let now = clock.now()
        if let wait = wrongTries.wait(now: now) {
            throw NodeError(
                .tooManyTries,
                "there were \(Limits.wrongTries) wrong tries within a minute: try again in "
                    + "\(max(1, wait.components.seconds)) seconds")
        }
        do throws(NodeError) {
            let signer = try typed()
            guard signer.keys.zone == account.zone.zone else { throw otherAccount(signer.keys, than: account) }
            return signer
        } catch {
            wrongTries.note(now: now)
            throw error
        }
    }

    private func otherAccount(_ keys: AccountKeys, than account: NodeAccount) -> NodeError {
        let meant = "\(account.label) (\(account.accountID.shortHex))"
        if let known = identity.accounts.first(where: { $0.keys.zone == keys.zone }) {
            return NodeError(
                .otherAccount,
                "this is the phrase or key of \(known.label) (\(keys.accountID.shortHex)), not of \(meant): give that "
                    + "one's, or name the other account with --account")
        }
        return NodeError(
            .otherAccount,
            "this phrase or key is valid, but of an account that this device does not have, and not of \(meant): look "
                + "for the one that you wrote down for \(meant)")
    }

    /// Lets this device into an account again, or by a shorter way.
    ///
    /// - Returns: false if it belongs to the account already, and its way to the person is not long.
    package func enter(_ account: NodeAccount, by signer: AccountSigner) throws -> Bool {
        switch account.zone.membership.ownStanding {
        case .active:
            guard account.zone.membership.wayFill?.isLow == true else { return false }
        case .unknown, .lapsed: break
        case .removed, .left, .succeeded:
            throw NodeError(
                .notAllowed,
                """
                this device was removed from \(account.label) and does not come back\
                \(advice: ": make a new home with `kachat-node --home DIR init --phrase-file F`")
                """)
        case .displaced:
            throw NodeError(
                .notAllowed,
                """
                \(account.label) has more devices than can belong to it: remove those that are gone on one that \
                belongs to it\(advice: " (`kachat-node device remove`)"), then try again
                """)
        }
        try account.zone.membership.enterAgain(by: signer)
        try keep(recovery: signer.recovery, of: account)
        return true
    }

    /// Roots sealed to the person may come later: this device can open them until it has met another one.
    private func keep(recovery: X25519.KeyPair?, of account: NodeAccount) throws(NodeError) {
        guard let index = identity.accounts.firstIndex(where: { $0.keys.zone == account.zone.zone }) else { return }
        try change { $0.accounts[index].recovery = recovery?.secret }
        account.zone.membership.recovery = recovery
    }

    /// Wipes the keys that opened roots sealed to the person, once they are no longer needed. Called after a commit,
    /// so that what they opened is durable.
    func wipeRecoveryKeys() {
        for known in identity.accounts where known.recovery != nil {
            guard let account = accounts.first(where: { $0.zone.zone == known.keys.zone }),
                account.fault == nil, account.zone.membership.recovery == nil
            else { continue }
            // If it cannot be written now, a later turn wipes it.
            try? keep(recovery: nil, of: account)
        }
    }

    /// - Throws: `not-allowed` if this device does not belong to the account itself.
    func check(mayLetIn account: NodeAccount) throws(NodeError) {
        guard account.zone.membership.ownStanding != .active else { return }
        throw NodeError(
            .notAllowed,
            """
            this device can let no other one into \(account.label), since it does not belong to it any more\
            \(advice: ": `kachat-node account enter` lets it in again by the recovery phrase, or says why not")
            """)
    }
}

/// Counts wrong phrases: a thief at an unlocked device cannot try many.
struct WrongTries {
    /// At most `Limits.wrongTries`, ascending.
    private var times: [MonotonicTime] = []

    /// How long nobody may try; nil if one may now.
    func wait(now: MonotonicTime) -> Duration? {
        guard times.count >= Limits.wrongTries, let first = times.first else { return nil }
        let until = first + Limits.wrongTriesWindow
        return until > now ? until - now : nil
    }

    mutating func note(now: MonotonicTime) { times = times.suffix(Limits.wrongTries - 1) + [now] }
}
