import Chat
import Gossip
import NodeCore
import SyncState
import Transport

/// What `diagnostics` tells: fit to be pasted where everybody can read it. Devices and accounts are named by short
/// hashes, the same in each report of this person; names, addresses, conversations and texts are left out.
package struct Diagnostics {
    private let node: LocalNode

    package init(_ node: LocalNode) { self.node = node }

    package func report() throws -> JSONValue {
        var fields: [String: JSONValue] = [
            "version": .string(Version.current), "protocolVersion": .number(Transport.Limits.protocolVersion),
            "sqlite": .string(Database.libraryVersion), "state": .string(node.network?.state ?? "stopped"),
            "startedAt": .number(node.startedAt.milliseconds), "errors": node.errors.json,
            "accounts": .array(try node.accounts.map(diagnosis) + node.unopened.map(diagnosis)),
        ]
        for name in ["refused", "foreignBeacons"] { fields[name] = node.network?.statusFields[name] }
        fields["interfaces"] = .array(node.network?.discovery.interfaces ?? [])
        return .object(fields)
    }

    private func diagnosis(_ account: UnopenedAccount) -> JSONValue {
        .object([
            "account": .string(Self.short(account.accountID.bytes)), "state": .string("error"),
            "code": .string(account.error.code.rawValue),
        ])
    }

    private func diagnosis(_ account: NodeAccount) throws -> JSONValue {
        let (zone, store) = (account.zone, account.zone.store)
        let served = node.network?.served(account)
        let reporter = ZoneReporter(account, of: node)
        let report = try reporter.report()
        let stats = try zone.chat.stats()
        let size = account.storeBytes
        return .object([
            "account": .string(Self.short(account.accountID.bytes)), "state": .string(report.state),
            "obstacle": .optional(reporter.obstacle), "code": .optional(reporter.faultCode),
            "since": .optional(report.since?.milliseconds), "until": .optional(report.until?.milliseconds),
            "lastSyncedAt": .optional(account.lastSyncedAt?.milliseconds),
            "caughtUp": .bool(node.network?.isCaughtUp(account) ?? false),
            "messages": .number(stats.messages), "conversations": .number(stats.conversations),
            "unread": .number(stats.unread), "placeholders": .number(zone.chat.stubs.count),
            "queue": .number(stats.queued), "unflushed": .number(stats.unflushed),
            "progress": try SyncProgress(account, served, now: node.clock.now()).json,
            "store": .object([
                "databaseBytes": .number(size.database), "logBytes": .number(size.log),
                "freeBytes": .optional(account.freeBytes), "records": .number(store.recordCount),
                "segments": .number(stats.segments), "digest": .string(String(store.digest.hex.prefix(16))),
            ]),
            "lanes": .array(store.vector.map { lane($0, zone) }),
            "devices": .array(try devices(account, served)),
            "unknownRecords": .number(zone.unknownRecords),
            "unreadableSegments": .number(zone.archive.unreadableSegments),
            "newerSegments": .array(
                try zone.newerSegments().map {
                    .object(["payloadVersion": .number($0.version), "segments": .number($0.segments)])
                }),
            // Messages of which several contents are held; all devices show the same one of them.
            "conflicts": .number(try zone.chat.conflicts(limit: Limits.diagnosedConflicts).count),
            "rejected": rejected(served), "counters": counters(served),
            "repairs": .array(
                try store.repairs(limit: Limits.diagnosedRepairs).map {
                    .object(["at": .number($0.at.milliseconds), "what": .string($0.what)])
                }),
            "freshStarts": .array(
                (served?.sync.freshStarts ?? []).map {
                    .object([
                        "reason": .string("\($0.reason)"), "old": .string(Self.short($0.old.bytes)),
                        "new": .string(Self.short($0.new.bytes)),
                    ])
                }),
            "otherVersions": .array(
                (served?.otherVersions.entries(now: node.clock.now()) ?? []).map { .number($0.version) }),
        ])
    }

    private func lane(_ lane: LaneState, _ zone: AccountZone) -> JSONValue {
        let content = zone.store.content(of: lane.id)
        return .object([
            "device": .string(Self.short(lane.id.bytes)), "own": .bool(lane.id == zone.lane),
            "head": .number(lane.head), "target": .number(lane.target), "records": .number(lane.sum.count),
            "retired": .bool(lane.isRetired), "forked": .bool(lane.isForked), "clean": .bool(lane.isClean),
            "messages": .number(content.held.messages), "wantedBlobs": .number(content.wanted.blobs),
            "wantedMessages": .number(content.wanted.messages), "wantedBytes": .number(content.wanted.bytes),
        ])
    }

    private func devices(_ account: NodeAccount, _ served: ServedZone?) throws -> [JSONValue] {
        let markers = try account.zone.reads.markerCounts()
        return try account.devices(served, clock: node.clock).map { device in
            .object([
                "device": .string(Self.short(device.lane.bytes)), "thisDevice": .bool(device.isThis),
                "connected": .bool(device.isConnected), "level": .bool(device.isLevel),
                "seenAt": .optional(device.seen?.milliseconds),
                "holdsUpTo": .optional(device.holdsUpTo?.milliseconds),
                "markers": .number(markers[device.lane] ?? 0),
            ])
        }
    }

    private func rejected(_ served: ServedZone?) -> JSONValue {
        let found = served?.sync.counters.rejections ?? [:]
        return .object(Dictionary(uniqueKeysWithValues: found.map { ($0.key.rawValue, .number($0.value)) }))
    }

    private func counters(_ served: ServedZone?) -> JSONValue {
        guard let counters = served?.sync.counters else { return .null }
        return .object([
            "recordsTaken": .number(counters.recordsTaken), "recordsRejected": .number(counters.recordsRejected),
            "blobsTaken": .number(counters.blobsTaken), "blobBytesTaken": .number(counters.blobBytesTaken),
            "badBlobs": .number(counters.badBlobs), "lanesHealed": .number(counters.lanesHealed),
            "alarms": .number(counters.alarms), "bytesSent": .number(counters.bytesSent),
            "bytesReceived": .number(counters.bytesReceived), "sessionsClosed": .number(counters.closed),
        ])
    }

    /// Eight digits that identify an id to somebody who has it, without revealing it.
    private static func short(_ id: [UInt8]) -> String {
        String(Blake2b.hash16(id, domain: "kachat report").hex.prefix(8))
    }
}
