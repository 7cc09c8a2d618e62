/// Why a message is not taken: the field, what is wrong with it, and the limit where there is one.
package struct ChatMessageError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The field's name in the import format.
    package let field: String
    package let reason: Reason

    package enum Reason: Equatable, Sendable {
        case empty
        /// Longer than so many bytes.
        case tooLong(bytes: Int, limit: Int)
        case tooMany(count: Int, limit: Int)
        case tooLarge(limit: UInt64)
    }

    package init(field: String, reason: Reason) {
        self.field = field
        self.reason = reason
    }

    package var description: String {
        switch reason {
        case .empty: "\(field) is empty"
        case .tooLong(let bytes, let limit): "\(field) has \(bytes) bytes, at most \(limit) are taken"
        case .tooMany(let count, let limit): "\(count) \(field), at most \(limit) are taken"
        case .tooLarge(let limit): "\(field) is above \(limit)"
        }
    }
}
