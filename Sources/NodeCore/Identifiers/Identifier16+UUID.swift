/// The text form of identifiers that others make as UUIDs (RFC 9562, §4).
extension Identifier16 {
    /// The 36 characters of a UUID, in either case; nil for anything else.
    package init?(uuid: String) {
        let parts = uuid.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [8, 4, 4, 4, 12] else { return nil }
        self.init(hex: parts.joined())
    }

    /// As a UUID in lower case.
    package var uuid: String {
        let hex = Array(hex.utf8)
        let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
        return parts.map { String(decoding: hex[$0], as: UTF8.self) }.joined(separator: "-")
    }
}
