import NodeCore
import Testing

@testable import Commands
@testable import Node

@Suite struct QRMatrixTests {
    /// A code that is dark at all corners but one.
    private static let code = QRMatrix(size: 3, modules: [true, false, true, false, false, false, true, false, false])

    @Test func outsideIsLight() {
        #expect(Self.code.isDark(0, 2))
        #expect(!Self.code.isDark(2, 2))
        #expect(!Self.code.isDark(-1, 0) && !Self.code.isDark(0, 3))
    }

    @Test func onATerminalItIsDarkOnLightOrPlainBlocks() {
        let (coloured, plain) = (Self.code.blocks(), Self.code.blocks(isColoured: false))
        #expect(coloured.contains("\u{1B}[30;107m"))
        #expect(!plain.contains("\u{1B}"))
        // The quiet zone is light: blanks on a light background, blocks on a dark one.
        #expect(coloured.split(separator: "\n").first?.contains("           ") == true)
        #expect(plain.split(separator: "\n").first == "███████████")
    }

    @Test func theVectorPictureHasASquareAModule() {
        #expect(Self.code.svg.contains("viewBox=\"0 0 11 11\""))
        #expect(Self.code.svg.contains("M4 4h1v1h-1zM6 4h1v1h-1zM4 6h1v1h-1z"))
    }

    @Test("Header, data as long as its rows, and the check values of RFC 1950 and PNG")
    func thePictureIsOne() throws {
        let png = Self.code.png
        #expect(png.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        #expect(png[16..<24] == [0, 0, 0, 88, 0, 0, 0, 88])
        // The CRC of IEND is known, so the polynomial is right.
        #expect(png.suffix(8) == [0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82])
        // 88 rows of a filter byte and 11 bytes, in one stored block.
        let rows = 88 * 12
        #expect(png.count == 8 + 25 + 12 + 2 + 5 + rows + 4 + 12)
        #expect(png[44..<46] == [UInt8(rows & 255), UInt8(rows >> 8)])
    }
}
