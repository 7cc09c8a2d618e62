package import NodeCore

/// This node's identity: the secrets of the device and its accounts. Stored in the home's file `identity`.
package struct Identity: Sendable {
    /// One account of the person who uses this device.
    package struct Account: Sendable {
        /// The user's label; not secret.
        package var label: String
        package var secret: AccountSecret
        package var createdAt: WallTime

        package init(label: String, secret: AccountSecret, createdAt: WallTime) {
            self.label = label
            self.secret = secret
            self.createdAt = createdAt
        }
    }

    /// 32 random bytes; this device's keys in each zone are derived from them.
    package let deviceSecret: Secret
    /// This device's name, as shown on the person's other devices.
    package var deviceName: String
    package var accounts: [Account]

    package init(deviceSecret: Secret, deviceName: String, accounts: [Account]) {
        self.deviceSecret = deviceSecret
        self.deviceName = deviceName
        self.accounts = accounts
    }
}

/// The secret that an account is made from.
package enum AccountSecret: Sendable {
    /// The entropy of a recovery phrase: 16 bytes (12 words) or 32 (24 words). The phrase can be shown again.
    case phrase(entropy: Secret)
    /// A wallet's 32-byte key, from which no phrase can be derived.
    case root(Secret)
}

/// The file's bytes: deterministic CBOR.
///
/// ```
/// identity = { 0: 3, 1: bytes .size 32, 2: name text, 3: [* account] }
/// account  = { 0: label text, 1: kind (1 phrase, 2 root), 2: secret bytes, 3: createdAt uint (milliseconds) }
/// ```
extension Identity {
    /// The version of the home that this program writes and reads: that of the protocol which its stores speak.
    package static let version: UInt64 = 3

    /// Holds secrets: wipe it after use.
    package func encoded() -> [UInt8] {
        var writer = CBORWriter()
        writer.writeMap(4)
        writer.write(UInt64(0))
        writer.write(Identity.version)
        writer.write(UInt64(1))
        deviceSecret.withUnsafeBytes { writer.write(bytes: Array($0)) }
        writer.write(UInt64(2))
        writer.write(text: deviceName)
        writer.write(UInt64(3))
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
            let device = try reader.readBytes(max: 32)
            try reader.expectKey(2)
            let name = try reader.readText(max: Limits.nameBytes)
            try reader.expectKey(3)
            let count = try reader.readArray(max: Limits.accounts)
            var accounts: [Account] = []
            for _ in 0..<count { accounts.append(try Account(from: &reader)) }
            try reader.finish()
            guard device.count == 32 else { throw IdentityCodingError.damaged }
            self.init(deviceSecret: Secret(bytes: device), deviceName: name, accounts: accounts)
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
        writer.writeMap(4)
        writer.write(UInt64(0))
        writer.write(text: label)
        writer.write(UInt64(1))
        switch secret {
        case .phrase(let entropy):
            writer.write(UInt64(1))
            writer.write(UInt64(2))
            entropy.withUnsafeBytes { writer.write(bytes: Array($0)) }
        case .root(let root):
            writer.write(UInt64(2))
            writer.write(UInt64(2))
            root.withUnsafeBytes { writer.write(bytes: Array($0)) }
        }
        writer.write(UInt64(3))
        writer.write(UInt64(clamping: createdAt.milliseconds))
    }

    fileprivate init(from reader: inout CBORReader) throws {
        guard try reader.readMap(max: 4) == 4, try reader.readKey(after: nil) == 0 else {
            throw IdentityCodingError.damaged
        }
        let label = try reader.readText(max: Limits.nameBytes)
        try reader.expectKey(1)
        let kind = try reader.readUInt()
        try reader.expectKey(2)
        let bytes = try reader.readBytes(max: 32)
        try reader.expectKey(3)
        let created = try reader.readUInt()
        let secret: AccountSecret
        switch (kind, bytes.count) {
        case (1, 16), (1, 32): secret = .phrase(entropy: Secret(bytes: bytes))
        case (2, 32): secret = .root(Secret(bytes: bytes))
        default: throw IdentityCodingError.damaged
        }
        self.init(label: label, secret: secret, createdAt: WallTime(milliseconds: Int64(clamping: created)))
    }
}

extension CBORReader {
    fileprivate mutating func expectKey(_ key: UInt64) throws {
        guard try readUInt() == key else { throw IdentityCodingError.damaged }
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
