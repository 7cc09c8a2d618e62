package import Chat
import Ledger
package import NodeCore

/// This node's identity: the secrets of the device and what it keeps of its accounts. Stored in the home's file
/// `identity`.
package struct Identity: Sendable {
    /// One account of the person who uses this device.
    package struct Account: Sendable {
        /// The user's label; not secret.
        package var label: String
        /// They let this device in nowhere: the person's own keys follow from the words, or from a wallet's key.
        package let keys: AccountKeys
        package var accountID: AccountID { keys.accountID }
        package let createdAt: WallTime
        /// The entropy of the recovery phrase of an account that was founded here, until its user has shown that it is
        /// written down: 16 bytes (12 words) or 32 (24 words). Afterwards no device has it.
        package var phrase: Secret?
        /// The X25519 secret that opens what is sealed to the person, 32 bytes: of an account into which this device
        /// came by the words, until it has the newest root. It cannot sign for the person.
        package var recovery: Secret?
        /// The account that continues in this one because its words are lost.
        package var renews: ZoneID?
        /// When all of that was here; nil while it is not.
        package var renewedAt: WallTime?

        package init(
            label: String, keys: AccountKeys, createdAt: WallTime, phrase: Secret? = nil, recovery: Secret? = nil,
            renews: ZoneID? = nil
        ) {
            self.label = label
            self.keys = keys
            self.createdAt = createdAt
            self.phrase = phrase
            self.recovery = recovery
            self.renews = renews
        }
    }

    /// 32 random bytes; this device's keys in each zone are derived from them.
    package let deviceSecret: Secret
    /// This device's name, as shown on the person's other devices.
    package var deviceName: String
    package var accounts: [Account]

    package init(deviceSecret: Secret, deviceName: String, accounts: [Account]) {
        (self.deviceSecret, self.deviceName, self.accounts) = (deviceSecret, deviceName, accounts)
    }

    /// The same without anything of the person's: for copies, which nobody wipes.
    package var withoutPersons: Identity {
        var copy = self
        for index in copy.accounts.indices {
            (copy.accounts[index].phrase, copy.accounts[index].recovery) = (nil, nil)
        }
        return copy
    }
}

/// The file's bytes: deterministic CBOR.
///
/// ```
/// identity = { 0: 3, 1: bytes .size 32, 2: name text, 3: [* account] }
/// account  = { 0: label text, 1: genesis bytes, 2: first root bytes .size 32, 3: createdAt uint (milliseconds),
///              ? 4: phrase bytes .size 16 / 32, ? 5: recovery bytes .size 32,
///              ? 6: renewed account bytes .size 32, ? 7: renewedAt uint (milliseconds) }
/// ```
extension Identity {
    /// The version of the home that this program writes and reads: that of the protocol which its stores speak.
    package static let version: UInt64 = 3

    /// Holds secrets: wipe it after use.
    package func encoded() -> [UInt8] {
        // An array that grew would leave copies of the secrets behind.
        var writer = CBORWriter(capacity: Limits.identityFileBytes)
        writer.writeMap(4)
        writer.write(0, Identity.version, 1, deviceSecret, 2, deviceName, 3)
        writer.writeArray(accounts.count)
        for account in accounts { account.encode(into: &writer) }
        return writer.bytes
    }

    package init(encoded: [UInt8]) throws(IdentityCodingError) {
        do {
            var reader = CBORReader(encoded)
            guard try reader.readMap(max: 64) >= 2, try reader.readKey(after: nil) == 0 else {
                throw CBORError.truncated(at: 0)
            }
            let version = try reader.readUInt()
            guard version == Identity.version else { throw IdentityCodingError.otherVersion(version) }
            try reader.expectKey(1)
            let device = try reader.readSecret(sizes: [32])
            try reader.expectKey(2)
            let name = try reader.readText(max: Limits.nameBytes)
            try reader.expectKey(3)
            let count = try reader.readArray(max: Limits.accounts)
            var accounts: [Account] = []
            for _ in 0..<count { accounts.append(try Account(from: &reader)) }
            try reader.finish()
            self.init(deviceSecret: device, deviceName: name, accounts: accounts)
        } catch let error as IdentityCodingError {
            throw error
        } catch {
            throw .damaged
        }
    }
}

/// The reasons that bytes are not a valid identity file.
package enum IdentityCodingError: Error, Equatable {
    case otherVersion(UInt64)
    case damaged
}

extension Identity.Account {
    fileprivate func encode(into writer: inout CBORWriter) {
        writer.writeMap(4 + [phrase == nil, recovery == nil, renews == nil, renewedAt == nil].count { !$0 })
        writer.write(
            0, label, 1, keys.genesis.encoded, 2, keys.firstRoot.secret, 3, UInt64(clamping: createdAt.milliseconds))
        writer.write(4, ifPresent: phrase)
        writer.write(5, ifPresent: recovery)
        writer.write(6, ifPresent: renews)
        writer.write(7, ifPresent: renewedAt.map { UInt64(clamping: $0.milliseconds) })
    }

    fileprivate init(from reader: inout CBORReader) throws {
        let count = try reader.readMap(max: 8)
        guard count >= 4, try reader.readKey(after: nil) == 0 else { throw IdentityCodingError.damaged }
        let label = try reader.readText(max: Limits.nameBytes)
        try reader.expectKey(1)
        let genesis = try LedgerRecord(encoded: try reader.readBytes(max: Ledger.Limits.recordBytes))
        try reader.expectKey(2)
        let firstRoot = try reader.readSecret(sizes: [Ledger.Limits.rootBytes])
        try reader.expectKey(3)
        let created = WallTime(milliseconds: Int64(clamping: try reader.readUInt()))
        var (phrase, recovery): (Secret?, Secret?)
        var (renews, renewedAt): (ZoneID?, WallTime?)
        var last: UInt64 = 3
        for _ in 4..<count {
            last = try reader.readKey(after: last)
            switch last {
            case 4: phrase = try reader.readSecret(sizes: [16, 32])
            case 5: recovery = try reader.readSecret(sizes: [X25519.secretBytes])
            case 6: renews = try reader.read(ZoneID.self)
            case 7: renewedAt = WallTime(milliseconds: Int64(clamping: try reader.readUInt()))
            default: throw IdentityCodingError.damaged
            }
        }
        guard let keys = AccountKeys(genesis: genesis, firstRoot: firstRoot) else { throw IdentityCodingError.damaged }
        self.init(label: label, keys: keys, createdAt: created, phrase: phrase, recovery: recovery, renews: renews)
        self.renewedAt = renewedAt
    }
}

extension CBORReader {
    fileprivate mutating func expectKey(_ key: UInt64) throws {
        guard try readUInt() == key else { throw IdentityCodingError.damaged }
    }

    fileprivate mutating func readSecret(sizes: [Int]) throws -> Secret {
        let bytes = try readBytes(max: 32)
        guard sizes.contains(bytes.count) else { throw IdentityCodingError.damaged }
        return Secret(bytes: bytes)
    }
}

extension Identity {
    func isSame(as other: Identity) -> Bool {
        var (own, others) = (encoded(), other.encoded())
        defer {
            wipe(&own)
            wipe(&others)
        }
        return own == others
    }
}
