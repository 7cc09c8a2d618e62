/// What an opened record says. Each kind of zone has its own types for it; the store itself knows `Retirement` only.
package protocol RecordContent: Sendable {
    /// How early the record's blob is wanted (`WantedBlob.priority`).
    var priority: Int64 { get }
    /// Messages in the record's blob, as it says itself.
    var messages: Int { get }
    /// The time of the newest of them, in seconds since 1970; 0 where there are none.
    var newestMessage: Int64 { get }
}

extension RecordContent {
    package var priority: Int64 { 0 }
    package var messages: Int { 0 }
    package var newestMessage: Int64 { 0 }
}

/// Of a type that this version does not know: kept, forwarded and counted.
package struct UnknownContent: RecordContent {
    package init() {}
}
