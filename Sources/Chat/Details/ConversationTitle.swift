package import NodeCore
import SyncState

/// What the user calls a conversation; the empty one is none.
package struct ConversationTitle: RevisedValue {
    /// UTF-8 of at most `Limits.titleBytes`.
    private let exact: ExactText

    package var text: String { exact.text }

    package init(_ text: String) throws(ConversationDetailsError) {
        guard text.utf8.count <= Limits.titleBytes else { throw .titleTooLong }
        exact = ExactText(text)
    }

    package func write(to writer: inout CBORWriter) { writer.write(text: text) }

    package init(from reader: inout CBORReader) throws(CBORError) {
        exact = ExactText(try reader.readText(max: Limits.titleBytes))
    }
}
