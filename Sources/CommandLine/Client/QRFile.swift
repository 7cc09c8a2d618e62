import Commands
import Node

/// `--qr FILE`: where the QR code of an invitation goes. It holds the invitation's secret, so the file is the owner's.
struct QRFile {
    private let path: String
    private let encode: QREncoder

    /// Nil where none is asked for.
    init?(_ context: ToolContext) throws(NodeError) {
        guard let path = context.command.text("--qr") else { return nil }
        guard path.hasSuffix(".svg") || path.hasSuffix(".png") else {
            throw NodeError(.usage, "--qr must be a file that ends in .svg or .png, not `\(path)`")
        }
        // Before there is an invitation.
        try ContainerWriter.checkTarget(path, replaces: context.command.has("--force"))
        self.path = path
        encode = context.qr
    }

    /// Writes the file as soon as the token is there.
    func attach(to client: inout CommandClient) {
        client.also = { value throws(NodeError) in
            if let text = value["token"]?.text ?? value["text"]?.text { try write(text) }
        }
    }

    func write(_ token: String) throws(NodeError) {
        guard let matrix = encode(token.uppercased()) else {
            throw NodeError(.failed, "the invitation is too long for a QR code")
        }
        do {
            try Files.replace(path, with: path.hasSuffix(".png") ? matrix.png : Array(matrix.svg.utf8))
        } catch {
            throw NodeError(.failed, "cannot write \(path): \(error.reason)")
        }
    }
}
