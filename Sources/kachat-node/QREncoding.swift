import CQREncode
import Commands

/// QR codes by libqrencode.
enum QREncoding {
    /// Uses the smallest code that fits the text, with the least error correction, since it is shown on a screen.
    /// Upper-case letters, digits and `-:` take 5.5 bits each (ISO/IEC 18004, alphanumeric mode).
    @Sendable static func matrix(_ text: String) -> QRMatrix? {
        guard let code = QRcode_encodeString(text, 0, QR_ECLEVEL_L, QR_MODE_8, 1) else { return nil }
        defer { QRcode_free(code) }
        let size = Int(code.pointee.width)
        guard size > 0, let data = code.pointee.data else { return nil }
        // A module's lowest bit is set if it is dark; the others are the encoder's notes.
        return QRMatrix(size: size, modules: (0..<size * size).map { data[$0] & 1 == 1 })
    }
}
