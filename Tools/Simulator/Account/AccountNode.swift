import Chat
import Gossip
import Ledger
package import NodeCore
import SyncState
import Transport

/// The real node in the simulated world: its store, chat state, engine, presence, dialer and sessions, without sockets.
package final class AccountNode: MachineNode {
    /// The secrets shared by all devices of the simulated account, and this device's own.
    package struct Identity: Sendable {
        package let seed: UInt64
        package let index: Int

        package init(seed: UInt64, index: Int) {
            self.seed = seed
            self.index = index
        }

        /// The person, as if the words had been typed.
        var signer: AccountSigner { AccountSigner(walletKey: secret(0)) }

        fileprivate func secret(_ number: UInt64) -> Secret {
            var random = SeededRandom(seed: seed &* 1_000_003 &+ number)
            return Secret(random: &random, count: 32)
        }
    }

    let account: AccountZone
    private let disk: SimulatedDisk
    private let signer: AccountSigner

    /// Starts the node on its disk, as after a boot.
    package init(
        _ identity: Identity, address: SocketAddress, disk: SimulatedDisk, random: any RandomSource, turn: Turn
    ) throws {
        var random = random
        self.disk = disk
        func split() -> SeededRandom { SeededRandom(seed: random.next()) }
        signer = identity.signer
        account = try AccountZone(
            database: try disk.open(), keys: signer.keys, deviceSecret: identity.secret(UInt64(identity.index) + 1),
            entrance: .words(signer), random: split(), now: turn.now)
        let guardFile = try account.checkGuard(disk.guardFile, place: [UInt8(truncatingIfNeeded: disk.machine)])
        disk.guardFile = guardFile
        try account.accountState.declare(createdAt: turn.wall)
        try account.devices.describe(name: "device \(identity.index)", appVersion: "1", wall: turn.wall)
        try account.commit()
        let machine = NodeMachine(random: split(), now: turn.now)
        super.init(machine: machine, random: split())
        machine.add(account, now: turn.now)
        machine.onListening(port: address.port)
    }

    /// Devices with an open session.
    var connectedCount: Int { account.connectedDevices.count }

    var served: ServedZone? { machine.zone(account.handle) }

    override func endedTurn(_ turn: Turn) throws { try disk.rethrow(served?.failure) }

    override var stored: (any ReplicatedZone)? { account }
}

extension AccountNode: SimulatedNode {
    package var deadline: MonotonicTime? {
        var times = [machineDeadline].compactMap { $0 }
        if account.store.hasUncommitted { times.append(.zero) }
        return times.min()
    }

    package var digest: [UInt8] { account.store.digest.bytes }

    package func perform(_ operation: WorkloadOperation, _ turn: Turn) throws -> WorkloadResult {
        // While the store rests, no command can be kept.
        guard served?.failure == nil else {
            try endTurn(turn)
            return .failed
        }
        let result = try apply(operation, turn)
        try endTurn(turn)
        return served?.failure == nil ? result : .failed
    }

    private func apply(_ operation: WorkloadOperation, _ turn: Turn) throws -> WorkloadResult {
        do {
            switch operation {
            case .message(let message):
                _ = try account.accept(message.chatMessage, now: turn.now)
                return .acknowledged
            case .markRead(let conversation):
                let isNew = try account.reads.markRead(conversation, upTo: nil, now: turn.now, wall: turn.wall)
                return isNew ? .acknowledged : .unchanged
            case .leave(let conversation):
                try account.reads.leave(conversation)
                return .acknowledged
            case .hint(let message):
                let stub = Stub(
                    txid: message.txid, conversationID: message.conversation,
                    direction: message.isReceived ? .received : .sent, hintedAt: turn.wall)
                return try account.hint(stub) == .new ? .acknowledged : .unchanged
            case .chain(let txid, let word):
                _ = try account.learn(ChainEvent(txid, word), now: turn.now)
                return .acknowledged
            case .markUnread(let conversation):
                return try account.details.change(conversation, [.markedUnread(true)], wall: turn.wall)
                    ? .acknowledged : .unchanged
            case .pin(let conversation, let isPinned):
                return try account.details.change(conversation, [.pinned(isPinned)], wall: turn.wall)
                    ? .acknowledged : .unchanged
            case .delete(let txid):
                _ = try account.deletions.delete(message: txid, wall: turn.wall)
                return .acknowledged
            case .rename(let place, let name):
                let devices = try account.devices.all(wall: turn.wall).compactMap(\.id)
                try account.devices.rename(devices[place % devices.count], to: name, wall: turn.wall)
                return .acknowledged
            case .group: return .unchanged
            case .flush:
                // `status` asks for the words where the record is lost by which the device came in.
                if account.membership.ownStanding == .unknown { try account.membership.enterAgain(by: signer) }
                try account.cut(force: true, now: turn.now)
                try account.reads.publishReads()
                return .acknowledged
            }
        } catch is ChatError {
            // There is nothing to read.
            return .unchanged
        } catch let error as DatabaseError where error.isDiskFull {
            try account.rollback()
            return .failed
        } catch let error as DatabaseError where !disk.isDead && disk.excuse(for: error) == .passing {
            machine.onStoreFailed(error, zone: account.handle)
            return .failed
        } catch let error as ChatMessageError {
            return .refused("\(error)")
        }
    }
}

extension WorkloadMessage {
    fileprivate var chatMessage: ChatMessage {
        ChatMessage(
            txid: txid, conversationID: conversation, contact: "contact of \(conversation)",
            direction: isReceived ? .received : .sent, senderTimestamp: UInt64(max(senderSeconds, 0)),
            blockTime: blockMilliseconds.map { UInt64(max($0, 0)) }, acceptingDaaScore: acceptingDaaScore,
            status: .implied(hasBlockTime: blockMilliseconds != nil, hasScore: acceptingDaaScore != nil), body: body)
    }
}

extension ChainEvent {
    fileprivate init(_ txid: TxID, _ word: ChainWord) {
        switch word {
        case .confirmed(let score):
            self.init(txid: txid, kind: .confirm, acceptingDaaScore: score, status: .confirmed)
        case .reorged: self.init(txid: txid, kind: .reorg)
        case .pending: self.init(txid: txid, kind: .confirm, status: .pending)
        }
    }
}
