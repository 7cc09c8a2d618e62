import Node
import NodeCore
import NodeModel

/// A backup for a browser: the same file as that of `backup`, a piece a line. It is made while it is read, of copies of
/// the stores in a folder of the home.
final class BackupDownload: Operation {
    let changesData = false
    private let node: LocalNode
    private let folder: CopiesFolder
    private let copying: BackupOperation
    private let encoder = ContainerEncoder(.backup)
    private var content: BackupContent?
    /// Bytes of the copies: in total, and already encoded.
    private var all = 0
    private var added = 0

    init(node: LocalNode) throws(NodeError) {
        folder = try Self.folder(in: node.home)
        self.node = node
        do throws(NodeError) {
            copying = try BackupOperation(node: node, folder: folder.path)
        } catch {
            folder.remove()
            throw error
        }
    }

    deinit { folder.remove() }

    private static func folder(in home: HomeFolder) throws(NodeError) -> CopiesFolder {
        let stems = (1...Limits.backupDownloads).map { "\(home.path)/download-\($0)" }
        for stem in stems { CopiesFolder.removeLeftBehind(beside: stem) }
        guard let stem = stems.first(where: { !CopiesFolder.exists(beside: $0) }) else {
            throw NodeError(.failed, "other backups are being downloaded: try again when they are done")
        }
        do {
            return try CopiesFolder(beside: stem)
        } catch {
            throw home.notWritable(error)
        }
    }

    func step(input: inout InputLines, reply: inout CommandReply, now: MonotonicTime) throws -> OperationProgress {
        guard content != nil else {
            var copied = CommandReply()
            if try copying.step(input: &input, reply: &copied, now: now) == .done {
                all = copying.stores.reduce(0) { $0 + Files.sizeBytes($1.file) }
                content = BackupContent(of: node.home, copying.stores, hasKeys: true, at: node.clock.wall())
            }
            return .again
        }
        let more = try content?.addNext(to: encoder)
        added += more ?? 0
        if more == nil, let fields = content?.fields { try encoder.finish(fields) }
        let bytes = encoder.take()
        if !bytes.isEmpty {
            reply.data(
                BackupPiece {
                    $0.bytes = Base64.encode(bytes)
                    $0.percent = all == 0 ? 100 : added * 100 / all
                })
        }
        guard more == nil else { return .again }
        try CareFile.note(backupAt: node.clock.wall(), in: node.home)
        return .done
    }
}
