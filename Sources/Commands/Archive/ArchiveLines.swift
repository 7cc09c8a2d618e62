package import Node

/// The lines of an archive, part by part, after all parts were checked.
package final class ArchiveLines {
    /// The archive's account; nil if the file's end, which names it, is missing.
    package let accountID: String?
    /// The command line sends this to the node in that case.
    package static let noAccount = "unknown"
    /// The skipped parts in words; nil if all are intact.
    package let leftOut: String?
    /// Bytes of all its parts as they are in the file, and how many of these were read for their lines.
    package var bytes: Int { reader.bytes }
    package private(set) var readBytes = 0
    private let reader: ContainerReader
    private var parts: ArraySlice<ContainerPart>
    private var current: ContainerPart?
    private var stream: ContainerStream?

    /// - Parameter takesWholeParts: takes the intact parts of a damaged archive; otherwise it is refused.
    package init(path: String, takesWholeParts: Bool) throws(NodeError) {
        reader = try ContainerReader(path: path, kind: .archive, findsParts: takesWholeParts)
        accountID = reader.manifest["accountId"]?.text
        let damaged = reader.damagedParts()
        if reader.lacksList, reader.parts.isEmpty {
            leftOut = "everything, since the file breaks off before the end of its first part"
        } else if reader.lacksList {
            leftOut =
                "everything after the first \(Wording.count(reader.parts.count, "part")), where the file breaks off"
        } else {
            leftOut = damaged.isEmpty ? nil : Self.names(damaged)
        }
        guard damaged.isEmpty || takesWholeParts else {
            throw NodeError(
                .damaged,
                "\(path) is damaged in \(Self.names(damaged)) of its \(reader.parts.count) parts: nothing was "
                    + "imported; --partial imports the intact parts")
        }
        parts = reader.parts.filter { part in !damaged.contains(part) && part.kind.holdsLines }[...]
    }

    private static func names(_ parts: [ContainerPart]) -> String {
        Wording.list(parts.prefix(5).map { "`\($0.name)`" }, of: parts.count)
    }

    /// The next bytes; nil at the end. A part ends with a whole line.
    package func next() throws(NodeError) -> [UInt8]? {
        while true {
            if let piece = try stream?.next() { return piece }
            readBytes += current?.bytes ?? 0
            current = parts.popFirst()
            stream = current.map { reader.stream($0) }
            if stream == nil { return nil }
        }
    }
}

extension ContainerPart.Kind {
    fileprivate var holdsLines: Bool { self == .messages || self == .state }
}
