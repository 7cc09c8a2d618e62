import NodeCore

/// The group's name and description. The highest number counts, then the lower hash.
package struct GroupTitle: Hashable, Sendable {
    package let number: UInt64
    package let title: String
    package let description: String

    package init(number: UInt64, title: String, description: String = "") {
        self.number = number
        self.title = title
        self.description = description
    }

    /// True if title and description can be shown. Descriptions may have line breaks, but no other control characters.
    package var isAcceptable: Bool {
        Self.isAcceptable(title: title)
            && description.utf8.count <= Limits.descriptionBytes
            && description.count <= Limits.descriptionCharacters
            && !description.unicodeScalars.contains { $0.isControl && $0 != "\n" }
            && number <= Limits.ownersNumber
    }

    /// True for titles and names of 1 to 80 characters without control characters.
    package static func isAcceptable(title: String) -> Bool {
        !title.isEmpty && title.utf8.count <= Limits.titleBytes && title.count <= Limits.titleCharacters
            && !title.unicodeScalars.contains(where: \.isControl)
    }

    func write(to writer: inout CBORWriter) {
        writer.writeArray(3)
        writer.write(number)
        writer.write(text: title)
        writer.write(text: description)
    }

    init(from reader: inout CBORReader) throws(ControlError) {
        do {
            guard try reader.readArray(max: 3) == 3 else { throw ControlError.malformed }
            number = try reader.readUInt()
            title = try reader.readText(max: Limits.titleBytes)
            description = try reader.readText(max: Limits.descriptionBytes)
        } catch {
            throw .malformed
        }
        guard isAcceptable else { throw .badTitle }
    }
}
