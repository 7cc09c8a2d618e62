import Commands
import Glibc
import Node
import NodeCore
import NodeModel

/// Examines a home from outside: its files, who can read them, and whether a recovery phrase still waits in
/// it and a backup was made.
struct HomeExamination {
    let home: HomeFolder
    let environment: Environment
    let clock: any Clock
    var program: Program { Program(home: home, environment: environment) }

    var checks: [Check] {
        guard Files.isFolder(home.path) else {
            return [
                Check(
                    "home", .failure, "there is no home at \(home.path)",
                    advice: "create one with \(program.command("init")), or name another with --home DIR")
            ]
        }
        let identity = loaded()
        return [folder, identity.check, settings, tokens].compactMap(\.self) + (identity.value.map(phrases) ?? [])
    }

    private var folder: Check {
        let free = Files.freeBytes(home.path)
        func check(_ state: Check.State, _ text: String, advice: String? = nil) -> Check {
            Check(
                "home", state, text, advice: advice,
                details: Check.Details { ($0.home, $0.freeBytes) = (home.path, free) })
        }
        if access(home.path, R_OK | W_OK | X_OK) != 0 {
            guard errno != EROFS else {
                return check(
                    .failure, "the home \(home.path) is on a read-only file system",
                    advice: "mount it for writing, or use another home (--home DIR)")
            }
            var status = stat()
            let isOwn = stat(home.path, &status) == 0 && status.st_uid == getuid()
            return check(
                .failure, "the home \(home.path) cannot be written by this user",
                advice: isOwn ? "`chmod 700 \(home.path)`" : "`chown -R $USER \(home.path)`")
        }
        if let free, free < Limits.doctorFreeBytes {
            return check(
                .warning, "only \(Wording.bytes(free)) are free for \(home.path)",
                advice: "free some space: without it sync pauses")
        }
        if let mode = Files.mode(home.path), mode & 0o022 != 0 {
            return check(
                .warning, "other users can change files in \(home.path) (mode \(String(mode, radix: 8)))",
                advice: "`chmod 700 \(home.path)`")
        }
        return check(.ok, home.path + (free.map { ", \(Wording.bytes($0)) free" } ?? ""))
    }

    private func loaded() -> (value: Identity?, check: Check) {
        do {
            let identity = try IdentityFile.load(from: home)
            let count = Wording.count(identity.accounts.count, "account")
            guard !identity.accounts.isEmpty else {
                return (
                    identity,
                    Check(
                        "identity", .warning, "\(home.identityPath) has no account",
                        advice: program.command("account create") + ", or "
                            + program.command("account import --phrase-file FILE"))
                )
            }
            let text = "\(identity.deviceName), \(count); only you can read \(home.identityPath)"
            return (identity, Check("identity", .ok, text))
        } catch {
            let advice: String? =
                switch error.code {
                case .noIdentity: "\(program.command("init")), or put the file back"
                default:
                    Files.mode(home.identityPath).map { $0 & 0o077 != 0 } == true
                        ? "`chmod 600 \(home.identityPath)`" : "see the message"
                }
            return (nil, Check("identity", .failure, error.message, advice: advice))
        }
    }

    private var settings: Check {
        do {
            let settings = try SettingsFile.load(from: home, environment: environment)
            let count = settings.given.count + settings.overrides.count
            return Check("settings", .ok, count == 0 ? "all defaults" : "\(count) set, all within bounds")
        } catch {
            return Check(
                "settings", .failure, error.message,
                advice: "correct it; \(program.command("config check")) checks it again")
        }
    }

    /// Nil if no token was ever created.
    private var tokens: Check? {
        guard Files.exists(home.tokensPath) else { return nil }
        do {
            _ = try TokenFile.load(from: home)
        } catch {
            return Check("tokens", .failure, error.message)
        }
        guard let mode = Files.mode(home.tokensPath), mode & 0o077 != 0 else {
            return Check("tokens", .ok, "only you can read \(home.tokensPath)")
        }
        return Check(
            "tokens", .warning, "other users can read \(home.tokensPath) (mode \(String(mode, radix: 8)))",
            advice: "`chmod 600 \(home.tokensPath)`")
    }

    private func phrases(_ identity: Identity) -> [Check] {
        identity.accounts.map { phrase($0, isOnly: identity.accounts.count == 1) }
    }

    private func phrase(_ account: Identity.Account, isOnly: Bool) -> Check {
        let details = Check.Details {
            ($0.accountId, $0.label) = (account.accountID.hex, account.label)
            $0.phraseOnDevice = account.phrase != nil
        }
        guard account.phrase != nil else {
            return Check("phrase", .ok, "account \(account.label): no recovery phrase on this device", details: details)
        }
        let which = isOnly ? nil : account.label
        return Check(
            "phrase", .warning,
            "account \(account.label): its recovery phrase is still on this device, where a thief finds it",
            advice: "write it down (\(program.command("account phrase", account: which)) shows it), then wipe it with "
                + program.command("account confirm", account: which),
            details: details)
    }

    /// The backup of a home with an account.
    ///
    /// - Parameter isDamaged: true if a store cannot be read: then no backup can be made, and an existing one helps.
    func backup(isDamaged: Bool) -> Check? {
        guard let identity = loaded().value, !identity.accounts.isEmpty else { return nil }
        guard let made = CareFile.load(from: home).backupAt else {
            return Check(
                "backup", .warning, "this home has no backup",
                advice: isDamaged ? nil : "\(program.command("backup FILE")), to another disk")
        }
        let age = clock.wall() - made
        let details = Check.Details { $0.madeAt = Int(made.milliseconds) }
        let text = "last made \(Wording.time(made))"
        return age > Limits.freshBackup && !isDamaged
            ? Check(
                "backup", .warning, text, advice: "make a new one: \(program.command("backup FILE --force"))",
                details: details)
            : Check("backup", .ok, text, details: details)
    }
}
