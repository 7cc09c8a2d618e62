/// The counts of an import.
package struct Imported: Model {
    package var lines = 0
    package var added = 0
    package var known = 0
    /// Known ones of which the line told more, such as their time in the chain.
    package var completed = 0
    /// Lines without a body, of messages whose body is not here either.
    package var placeholders = 0
    package var refused = 0
    /// Empty lines, and those that another device wrote.
    package var skipped = 0
    /// Lines about conversations that told something new.
    package var states = 0

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

/// Segments that were written now.
package struct Flushed: Model {
    package var segments = 0

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) { field("segments", &segments) }
}

/// What reading every stored byte has found.
package struct Scrubbed: Model {
    package var rows = 0
    package var blobs = 0
    package var damagedRows = 0
    package var damagedBlobs = 0
    /// Devices whose records do not add up to what was noted of them.
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

/// The copy of one store, of an account or of a group.
package struct CopiedStore: Model {
    /// Its path.
    package var file = ""
    package var accountId = ""
    /// This device, as the store's zone knows it.
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
        field.optional("createdAt", &createdAt)
        field.optional("messages", &messages)
    }
}
