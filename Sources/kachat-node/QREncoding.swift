import CQREncode
import Commands

/// QR codes by libqrencode.
enum QREncoding {
    /// In the smallest code that the text fits, with the least correction: it is shown on a screen, not worn on a
    /// wall. Upper-case letters, digits and `-:` take 5.5 bits each (ISO/IEC 18004, alphanumeric mode).
    @Sendable static func matrix(_ text: String) -> QRMatrix? {
        guard let code = QRcode_encodeString(text, 0, QR_ECLEVEL_L, QR_MODE_8, 1) else { return nil }
        defer { QRcode_free(code) }
        let size = Int(code.pointee.width)
        guard size > 0, let data = code.pointee.data else { return nil }
        // The lowest bit of a module says whether it is dark; the others are the encoder's notes.
        return QRMatrix(size: size, modules: (0..<size * size).map { data[$0] & 1 == 1 })
    }
}
