import Chat
import Gossip
import LeaderboardShare
import Node
import NodeCore
import NodeModel
import SyncState
import Transport

/// The node's part of `doctor`: itself, its stores, its peers. Asks each peer for a word, and waits for it a moment.
final class DoctorOperation: ControlOperation {
    let changesData = false
    private let node: LocalNode
    private var question: [SessionID: UInt64] = [:]
    private var deadline: MonotonicTime?

    init(node: LocalNode) {
        self.node = node
    }

    package func step(
        input: inout ControlInput, reply: inout ControlReply, now: MonotonicTime
    ) throws(NodeError) -> OperationProgress {
        let accounts = node.accounts.filter { !$0.isPaused }
        if let network = node.network, !network.isInBackground {
            let deadline = deadline ?? ask(network, accounts, now)
            self.deadline = deadline
            // Nothing wakes a command when a peer says its last word, so it looks again soon.
            guard now >= deadline || network.haveAnswered(question, accounts) else {
                return .waiting(until: min(deadline, now + Node.Limits.handoverLook))
            }
        }
        do {
            reply.data(running.json)
            for check in try checks(now) { reply.data(check.json) }
        } catch {
            throw NodeError(cause: error)
        }
        return .done
    }

    private func ask(_ network: NodeNetwork, _ accounts: [NodeAccount], _ now: MonotonicTime) -> MonotonicTime {
        for account in accounts {
            guard let sync = network.served(account)?.sync else { continue }
            question.merge(sync.askAll(now: now)) { first, _ in first }
        }
        return now + Limits.doctorPatience
    }

    private var running: DoctorCheck {
        guard let network = node.network else {
            return DoctorCheck(
                "node", .warning, "no node is running on this home: nothing is sent or fetched",
                advice: node.program.command("run"), fields: ["running": .bool(false)])
        }
        let fields: [String: JSONValue] = [
            "running": .bool(true), "pid": .number(ProcessID.current), "api": .optional(network.apiAddress),
            "listen": .optional(network.listeners.address?.description),
            "discovery": .string(network.discovery.mode.text), "startedAt": .number(node.startedAt.milliseconds),
        ]
        if network.isInBackground {
            return DoctorCheck(
                "node", .warning, "the node is in the background: nothing is sent or fetched",
                advice: node.program.command("foreground"), fields: fields)
        }
        return DoctorCheck("node", .ok, "running as process \(ProcessID.current)", fields: fields)
    }

    private func checks(_ now: MonotonicTime) throws -> [DoctorCheck] {
        var found = node.unopened.map { account in
            DoctorCheck(
                "store", .failure, "account \(account.label): \(account.error.message)",
                advice: "restore it from another device with the recovery phrase, or from a backup",
                fields: ["accountId": .string(account.accountID.hex)])
        }
        for account in node.accounts {
            found.append(store(account.name, account.database, account.fault, path: account.path))
            for group in account.groups {
                found.append(store(group.name, group.database, group.fault, path: group.path))
            }
            found += account.unopenedGroups.map { group in
                DoctorCheck(
                    "store", .failure, "group \(group.membership.title): \(group.error.message)",
                    advice: "its members' devices have its records: restore this one from a backup, or from another "
                        + "device of yours", fields: ["groupId": .string(group.membership.group.hex)])
            }
            found.append(try messages(account))
            found += try PeerExamination(account: account, node: node, now: now).checks()
            found += account.groups.compactMap { owner(of: $0, account) }
        }
        return found
    }

    private func store(_ name: String, _ database: Database, _ fault: NodeError?, path: String) -> DoctorCheck {
        let size = Files.sizeBytes(path)
        let fields: [String: JSONValue] = ["store": .string(name), "bytes": .number(size)]
        let scrub = "\(node.program.command("scrub")) reads every byte again, and fetches what is damaged"
        if let fault {
            return DoctorCheck("store", .failure, "\(name): \(fault.message)", advice: scrub, fields: fields)
        }
        guard node.network == nil || size <= Limits.doctorStoreBytes else {
            return DoctorCheck(
                "store", .ok,
                "\(name): open; too large (\(Wording.bytes(size))) to be looked through while the node "
                    + "serves", advice: scrub, fields: fields)
        }
        do {
            if let damage = try database.quickCheck() {
                return DoctorCheck(
                    "store", .failure, "\(name): \(damage)",
                    advice: scrub + "; where that does not help, restore from another device or a backup",
                    fields: fields)
            }
        } catch {
            return DoctorCheck(
                "store", .failure, "\(name): \(NodeError(cause: error).message)", advice: scrub, fields: fields)
        }
        return DoctorCheck(
            "store", .ok,
            "\(name): \(Wording.bytes(size)), no damage in a quick look; "
                + "\(node.program.command("scrub")) reads all", fields: fields)
    }

    /// Whether every message that is known of is here.
    private func messages(_ account: NodeAccount) throws -> DoctorCheck {
        let reporter = ZoneReporter(account, of: node)
        let missing = try reporter.missing()
        let placeholders = account.zone.chat.stubs.count
        let fields: [String: JSONValue] = [
            "accountId": .string(account.accountID.hex), "missing": missing.map { Gap($0).json } ?? .null,
            "placeholders": .number(placeholders),
        ]
        if let missing {
            guard try reporter.report().state != "syncing" else {
                return DoctorCheck(
                    "messages", .warning, "account \(account.label): \(Wording.messages(missing.sum)) still to come",
                    advice: "wait: a device in reach is sending them", fields: fields)
            }
            return DoctorCheck(
                "messages", .failure, "account \(account.label): \(missing.sentence)", advice: missing.remedy,
                fields: fields)
        }
        guard placeholders == 0 else {
            return DoctorCheck(
                "messages", .warning,
                "account \(account.label): \(Wording.count(placeholders, "message")) without text yet",
                advice: "turn on the devices that have them; they arrive automatically", fields: fields)
        }
        return DoctorCheck(
            "messages", .ok, "account \(account.label): every message known of is here", fields: fields)
    }

    /// An owner whose only device is lost leaves a group that nobody can lead.
    private func owner(of group: NodeGroup, _ account: NodeAccount) -> DoctorCheck? {
        let zone = group.zone
        guard group.isServed, zone.state.owner == zone.member else { return nil }
        let devices = zone.memberList().first(where: \.isMe)?.devices ?? 0
        let fields: [String: JSONValue] = [
            "groupId": .string(zone.zone.hex), "title": .string(group.title), "devices": .number(devices),
        ]
        guard devices <= 1 else {
            return DoctorCheck("owner", .ok, "group \(group.title): yours, on \(devices) devices", fields: fields)
        }
        return DoctorCheck(
            "owner", .warning,
            "group \(group.title): yours, on this device alone: if it is lost, nobody can invite, remove or delete",
            advice: "add a second device with the recovery phrase, or hand the group over: "
                + node.command("group transfer \(Program.quoted(group.title)) MEMBER", for: account), fields: fields)
    }
}
