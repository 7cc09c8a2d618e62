/// The content of an opened record. Each kind of zone has its own types.
package protocol RecordContent: Sendable {
    /// How early to fetch the record's blob (`WantedBlob.priority`).
    var priority: Int64 { get }
    /// Number of messages in the record's blob, as the record states it.
    var messages: Int { get }
    /// The time of the newest of these messages, in seconds since 1970; 0 if there are none.
    var newestMessage: Int64 { get }
}

extension RecordContent {
    package var priority: Int64 { 0 }
    package var messages: Int { 0 }
    package var newestMessage: Int64 { 0 }
}

/// A record type that this version does not know: kept, forwarded and counted.
package struct UnknownContent: RecordContent {
    package init() {}
}
