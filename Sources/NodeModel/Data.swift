package import JSONLines

/// The outcome of an import of messages.
public struct Imported: Model, Hashable, Sendable {
    public var lines = 0
    public var added = 0
    public var known = 0
    /// Known messages that gained fields, such as their block time.
    public var completed = 0
    /// Lines without a body, of messages without a body here.
    public var placeholders = 0
    public var refused = 0
    /// Empty lines, and lines of other devices than the wanted one.
    public var skipped = 0
    /// Lines about conversations with anything new.
    public var states = 0

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("lines", &lines)
        field("added", &added)
        field("known", &known)
        field("completed", &completed)
        field("placeholders", &placeholders)
        field("refused", &refused)
        field("skipped", &skipped)
        field("states", &states)
    }
}

extension [String: JSONValue] {
    /// Adds the counts of another part of an import.
    package mutating func addCounts(_ part: JSONValue) {
        guard case .object(let fields) = part else { return }
        merge(fields) { sum, count in
            guard let sum = sum.integer, let more = count.integer else { return count }
            return .int(sum + more)
        }
    }
}

package struct Flushed: Model {
    package var segments = 0

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) { field("segments", &segments) }
}

/// The result of `scrub`.
package struct Scrubbed: Model {
    package var rows = 0
    package var blobs = 0
    package var damagedRows = 0
    package var damagedBlobs = 0
    /// Lanes whose records do not match their stored fingerprint.
    package var lanesDiffering = 0
    package var damagedIndexes = 0
    package var lostMessages = 0

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("rows", &rows)
        field("blobs", &blobs)
        field("damagedRows", &damagedRows)
        field("damagedBlobs", &damagedBlobs)
        field("lanesDiffering", &lanesDiffering)
        field("damagedIndexes", &damagedIndexes)
        field("lostMessages", &lostMessages)
    }
}

/// The copy of an account's or a group's store.
package struct CopiedStore: Model {
    package var file = ""
    package var accountId = ""
    /// This device's id in the store's zone.
    package var deviceId = ""
    /// Of a group.
    package var groupId: String?
    package var title: String?
    /// Of an account.
    package var label: String?
    /// In milliseconds since 1970.
    package var createdAt: Int?
    package var messages: Int?

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("file", &file)
        field("accountId", &accountId)
        field("deviceId", &deviceId)
        field.optional("groupId", &groupId)
        field.optional("title", &title)
        field.optional("label", &label)
        field.optional("createdAt", &createdAt, .time)
        field.optional("messages", &messages)
    }
}

/// A part of a backup's file, for a browser that downloads it.
package struct BackupPiece: Model {
    /// In base64.
    package var bytes = ""
    /// How much of the backup is made with it.
    package var percent = 0

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("bytes", &bytes)
        field("percent", &percent)
    }
}
