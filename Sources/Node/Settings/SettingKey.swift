import Chat
import NodeCore
import SyncState

/// The available settings, under the names that `config` and the file use.
package enum SettingKey: String, CaseIterable {
    case archiveMessages = "archive.messages"
    case archiveBytes = "archive.bytes"
    case archiveAge = "archive.ageSeconds"
    case readQuiet = "read.quietSeconds"
    case placeholderText = "placeholder.text"
    case storageQuota = "storage.quotaBytes"
    case groupQuota = "storage.groupQuotaBytes"
    case apiPort = "api.port"
    case networkListen = "network.listen"
    case networkDiscovery = "network.discovery"
    case networkPeers = "network.peers"
    case logLevel = "log.level"
    case logFormat = "log.format"

    /// The type of a setting and its default.
    package enum Value {
        case number(ClosedRange<Int>, normally: Int)
        /// One line of limited size in bytes of UTF-8.
        case text(bytes: Int, normally: String)
        /// A value of an option of this kind.
        case option(ValueKind, normally: String?)
    }

    /// The environment variable that takes precedence over the file: `KACHAT_ARCHIVE_AGE_SECONDS`.
    package var variable: String {
        rawValue.reduce(into: Environment.prefix) { name, letter in
            if letter.isUppercase { name += "_" }
            name += letter == "." ? "_" : letter.uppercased()
        }
    }

    package var value: Value {
        switch self {
        case .archiveMessages: .number(1...Chat.Limits.segmentMessages, normally: Chat.Limits.segmentMessages)
        case .archiveBytes:
            .number(Limits.archiveBytesLeast...Chat.Limits.segmentBytes, normally: Chat.Limits.segmentBytes)
        case .archiveAge:
            .number(Limits.archiveAgeSeconds, normally: Int(Chat.Limits.segmentAge.components.seconds))
        case .readQuiet:
            .number(
                Limits.readQuietSeconds, normally: Int(Chat.Limits.quietBeforePublishing.components.seconds))
        case .apiPort: .number(0...65_535, normally: Int(Limits.usualAPIPort))
        case .networkListen: .option(.hostPort, normally: nil)
        case .networkDiscovery: .option(.discovery, normally: "auto")
        case .networkPeers: .option(.peers, normally: nil)
        case .logLevel: .option(.choice("LEVEL", Log.Level.allCases.map { "\($0)" }), normally: "info")
        case .logFormat: .option(.choice("FORMAT", Log.Format.allCases.map(\.rawValue)), normally: "text")
        case .placeholderText: .text(bytes: Limits.placeholderTextBytes, normally: "📤 Sent via another device")
        case .storageQuota: .number(Limits.storageQuotaBytes, normally: 0)
        case .groupQuota: .number(Limits.storageQuotaBytes, normally: Limits.groupQuotaBytes)
        }
    }

    package var help: String {
        switch self {
        case .archiveMessages: "messages after which a segment is archived"
        case .archiveBytes: "bytes of messages after which a segment is archived"
        case .archiveAge: "seconds that a message waits for others before it is archived"
        case .readQuiet: "seconds without a new read mark before reads are published"
        case .apiPort: "port of the local API on 127.0.0.1, from the next start; 0 for any free one"
        case .networkListen: "default of `run --listen`"
        case .networkDiscovery: "default of `run --discovery`"
        case .networkPeers: "default of `run --peer`, separated by commas"
        case .logLevel: "minimum log level"
        case .logFormat: "text, or one JSON object per line"
        case .placeholderText: "text that an old app's lines have in place of a missing text"
        case .storageQuota: "maximum bytes of an account's database, and of each group's; 0 for no limit"
        case .groupQuota: "maximum bytes of a group's database, so that no member fills this disk; 0 for no limit"
        }
    }

    /// The allowed values in words.
    package var bounds: String {
        switch value {
        case .number(let range, _): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .text(let bytes, _): "one line of 1 to \(bytes) bytes"
        case .option(let kind, _): kind.allowed
        }
    }

    package var standard: JSONValue {
        switch value {
        case .number(_, let number): .number(number)
        case .text(_, let text): .string(text)
        case .option(_, let text): .optional(text)
        }
    }

    package func allows(_ given: JSONValue) -> Bool {
        switch (value, given) {
        case (.number(let range, _), .int(let number)): Int(exactly: number).map(range.contains) ?? false
        case (.text(let bytes, _), .string(let text)):
            (1...bytes).contains(text.utf8.count) && !text.unicodeScalars.contains { $0.value < 0x20 }
        case (.option(let kind, _), .string(let text)): kind.complaint(text) == nil
        default: false
        }
    }

    /// Parses a value from a command line; nil if it is not allowed.
    package func read(_ text: String) -> JSONValue? {
        let given: JSONValue? =
            switch value {
            case .number: Int64(text).map { .int($0) }
            case .text, .option: .string(text)
            }
        return given.flatMap { allows($0) ? $0 : nil }
    }

    /// The key with that name; throws an error that suggests the closest one.
    package init(named name: String) throws(NodeError) {
        if let key = SettingKey(rawValue: name) {
            self = key
            return
        }
        let names = SettingKey.allCases.map(\.rawValue)
        let nearest = EditDistance.suggestion(for: name, in: names)
        throw NodeError(.usage, "there is no setting `\(name)`\(nearest); there are: \(names.joined(separator: ", "))")
    }
}
