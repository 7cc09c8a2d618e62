/// The user's settings for this node; the others have their defaults. Values are within their limits.
package struct NodeSettings: Equatable {
    package private(set) var given: [SettingKey: JSONValue] = [:]
    /// Values from the environment, for this process alone: `KACHAT_…` takes precedence over the file.
    package private(set) var overrides: [SettingKey: JSONValue] = [:]

    /// - Precondition: the key allows the value; nil resets it.
    package mutating func set(_ key: SettingKey, _ value: JSONValue?) {
        precondition(value.map(key.allows) ?? true, "invariant: the caller has checked the bounds")
        given[key] = value
    }

    /// Takes values from the environment.
    ///
    /// - Throws: `NodeError` if a variable is out of range.
    package mutating func take(_ environment: Environment) throws(NodeError) {
        for key in SettingKey.allCases {
            guard let text = environment[name: key.variable] else { continue }
            guard let value = key.read(text) else {
                let instead = Wording.instead(text.prefix(80))
                throw NodeError(.badSettings, "\(key.variable) must be \(key.bounds)\(instead)")
            }
            overrides[key] = value
        }
    }

    package func value(_ key: SettingKey) -> JSONValue { overrides[key] ?? given[key] ?? key.standard }

    /// The origin of the value.
    package func source(_ key: SettingKey) -> String {
        overrides[key] != nil ? "environment" : given[key] != nil ? "file" : "default"
    }

    private func number(_ key: SettingKey) -> Int { value(key).integer.flatMap { Int(exactly: $0) } ?? 0 }

    /// Messages in a segment.
    var archiveMessages: Int { number(.archiveMessages) }
    /// Bytes of a segment's messages, encoded and not compressed.
    var archiveBytes: Int { number(.archiveBytes) }
    /// Time a message waits for others.
    var archiveAge: Duration { .seconds(number(.archiveAge)) }
    /// Quiet time before reads are published.
    var readQuiet: Duration { .seconds(number(.readQuiet)) }
    /// Size limit of an account's database in bytes; nil if unlimited.
    var storageQuota: Int? { quota(.storageQuota) }
    /// Size limit of a group's database in bytes, and the setting from which it is; nil if unlimited.
    var groupQuota: (bytes: Int, key: SettingKey)? {
        [SettingKey.groupQuota, .storageQuota].compactMap { key in quota(key).map { ($0, key) } }.min { $0.0 < $1.0 }
    }

    private func quota(_ key: SettingKey) -> Int? { number(key) == 0 ? nil : number(key) }

    /// The port of the local API; 0 for any free port.
    package var apiPort: UInt16 { UInt16(clamping: number(.apiPort)) }
    /// Addresses that `run` uses instead of `--peer`.
    package var peers: [String] {
        (value(.networkPeers).text ?? "").split(separator: ",").map(String.init)
    }
    /// Stands for a missing text in an old app's lines.
    package var placeholderText: String { value(.placeholderText).text ?? "" }
}
