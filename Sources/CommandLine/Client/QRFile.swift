import Commands
import Node

/// `--qr FILE`: writes an invitation's QR code. Only the owner can read the file, since it contains the secret.
struct QRFile {
    private let path: String
    private let encode: QREncoder

    /// Nil without `--qr`.
    init?(_ context: ToolContext) throws(NodeError) {
        guard let path = context.command.text("--qr") else { return nil }
        guard path.hasSuffix(".svg") || path.hasSuffix(".png") else {
            throw NodeError(.usage, "--qr must be a file that ends in .svg or .png\(Wording.instead(path))")
        }
        // Check before an invitation is made.
        try ContainerWriter.checkTarget(path, replaces: context.command.has("--force"))
        self.path = path
        encode = context.qr
    }

    /// Writes the file when the token arrives.
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
