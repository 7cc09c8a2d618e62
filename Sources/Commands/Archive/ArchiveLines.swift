package import Node

/// The lines of an archive, part by part; all parts were read and checked before.
package final class ArchiveLines {
    /// Whose messages these are; nil where the file's end, which says it, is missing.
    package let accountID: String?
    /// What the command line tells the node in that case.
    package static let noAccount = "unknown"
    /// Parts that are left out, in words; nil where all is whole.
    package let leftOut: String?
    private let reader: ContainerReader
    private var parts: ArraySlice<ContainerPart>
    private var stream: ContainerStream?

    /// - Parameter takesWholeParts: of a damaged archive the parts that are as they were written; else nothing of it.
    package init(path: String, takesWholeParts: Bool) throws(NodeError) {
        reader = try ContainerReader(path: path, kind: .archive, findsParts: takesWholeParts)
        accountID = reader.manifest["accountId"]?.text
        let damaged = reader.damagedParts()
        if reader.lacksList {
            leftOut = "all behind the \(Wording.count(reader.parts.count, "part")) that came before the file breaks off"
        } else {
            leftOut = damaged.isEmpty ? nil : Self.names(damaged)
        }
        guard damaged.isEmpty || takesWholeParts else {
            throw NodeError(
                .damaged,
                "\(path) is damaged in \(Self.names(damaged)) of its \(reader.parts.count) parts: nothing of it was "
                    + "taken; --partial takes the parts that are whole")
        }
        parts = reader.parts.filter { part in !damaged.contains(part) && part.kind.holdsLines }[...]
    }

    private static func names(_ parts: [ContainerPart]) -> String {
        let shown = parts.prefix(5).map { "`\($0.name)`" }.joined(separator: ", ")
        return parts.count > 5 ? "\(shown) and \(parts.count - 5) more" : shown
    }

    /// The next bytes; nil at the end. A part ends with a whole line.
    package func next() throws(NodeError) -> [UInt8]? {
        while true {
            if let piece = try stream?.next() { return piece }
            stream = parts.popFirst().map { reader.stream($0) }
            if stream == nil { return nil }
        }
    }
}

extension ContainerPart.Kind {
    fileprivate var holdsLines: Bool { self == .messages || self == .state }
}
