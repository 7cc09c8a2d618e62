/// What the user has set for this node; the rest is as it is normally. Values are within their bounds.
package struct NodeSettings: Equatable {
    package private(set) var given: [SettingKey: JSONValue] = [:]
    /// What the environment says instead, for this process alone: `KACHAT_…` counts before the file.
    package private(set) var overrides: [SettingKey: JSONValue] = [:]

    /// - Precondition: the key allows the value; nil takes back what was set.
    package mutating func set(_ key: SettingKey, _ value: JSONValue?) {
        precondition(value.map(key.allows) ?? true, "invariant: the caller has checked the bounds")
        given[key] = value
    }

    /// Takes over what the environment says.
    ///
    /// - Throws: `NodeError` where a variable is out of bounds.
    package mutating func take(_ environment: Environment) throws(NodeError) {
        for key in SettingKey.allCases {
            guard let text = environment[name: key.variable] else { continue }
            guard let value = key.read(text) else {
                throw NodeError(.badSettings, "\(key.variable) must be \(key.bounds), not `\(text.prefix(80))`")
            }
            overrides[key] = value
        }
    }

    package func value(_ key: SettingKey) -> JSONValue { overrides[key] ?? given[key] ?? key.standard }

    /// Where the value comes from.
    package func source(_ key: SettingKey) -> String {
        overrides[key] != nil ? "environment" : given[key] != nil ? "file" : "default"
    }

    private func number(_ key: SettingKey) -> Int { value(key).integer.flatMap { Int(exactly: $0) } ?? 0 }

    /// Messages of a segment.
    var archiveMessages: Int { number(.archiveMessages) }
    /// Bytes of a segment's messages, encoded and not compressed.
    var archiveBytes: Int { number(.archiveBytes) }
    /// How long a message waits for others.
    var archiveAge: Duration { .seconds(number(.archiveAge)) }
    /// How long nothing is marked before reads are published.
    var readQuiet: Duration { .seconds(number(.readQuiet)) }
    /// Days without a sign of life after which a device is retired.
    var retireAfterDays: Int { number(.deviceRetirement) }
    /// Bytes that an account's database may take; nil where that is not bounded.
    var storageQuota: Int? { number(.storageQuota) == 0 ? nil : number(.storageQuota) }
    /// Where the local API listens; 0 for any free port.
    package var apiPort: UInt16 { UInt16(clamping: number(.apiPort)) }
    /// Addresses that `run` takes in place of `--peer`.
    package var peers: [String] {
        (value(.networkPeers).text ?? "").split(separator: ",").map(String.init)
    }
    /// What stands for a body in the lines of an old app that has none.
    package var placeholderText: String { value(.placeholderText).text ?? "" }
}
