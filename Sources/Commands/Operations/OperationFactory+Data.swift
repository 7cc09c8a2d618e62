import Chat
import Node
import SyncState

/// Data that comes in or goes out as a whole, and how it is stored.
extension OperationFactory {
    func dataOperation(_ request: ControlRequest) throws(NodeError) -> (any ControlOperation)? {
        switch request.command {
        case "import":
            try ImportOperation(
                account: account(request), request: request,
                placeholder: PlaceholderText(request.text("--placeholder-text") ?? node.settings.placeholderText),
                clock: node.clock)
        case "export":
            try ExportOperation(
                account: account(request), isArchive: request.has("--archive"), hasStates: request.has("--state"))
        case "backup": try BackupOperation(node: node, folder: request.text("FOLDER") ?? "")
        case "flush": try flush(request)
        case "scrub": ScrubOperation(account: try account(request))
        default: nil
        }
    }

    private func flush(_ request: ControlRequest) throws(NodeError) -> any ControlOperation {
        let zone = try account(request).zone
        return ImmediateOperation(changesData: true) { reply, now in
            let segments = try zone.cut(force: true, now: now)
            try zone.reads.publishReads()
            reply.data(.object(["segments": .number(segments)]))
        }
    }
}
