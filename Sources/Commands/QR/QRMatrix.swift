/// A QR code as dark and light modules, and its pictures. The encoder comes from outside, since only programs with a
/// user in front of them need one.
package struct QRMatrix: Equatable, Sendable {
    /// Modules on each side.
    package let size: Int
    /// Row by row, true for dark.
    package let modules: [Bool]

    /// Light modules around the code, which cameras need to find it (ISO/IEC 18004 requires four).
    static let quietZone = 4

    /// - Precondition: `modules` are `size` times `size`.
    package init(size: Int, modules: [Bool]) {
        precondition(size > 0 && modules.count == size * size, "invariant: a square")
        self.size = size
        self.modules = modules
    }

    /// The width of `blocks`.
    package var columns: Int { size + 2 * Self.quietZone }

    func isDark(_ row: Int, _ column: Int) -> Bool {
        guard (0..<size).contains(row), (0..<size).contains(column) else { return false }
        return modules[row * size + column]
    }

    /// The code in half blocks, two rows of modules a line, dark on light whatever the terminal's colours.
    ///
    /// - Parameter isColoured: false to set no colours and assume light text on a dark background, as usual.
    package func blocks(isColoured: Bool = true) -> String {
        let range = -Self.quietZone..<(size + Self.quietZone)
        var lines: [String] = []
        for row in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            let cells = range.map { column -> String in
                switch (isDark(row, column) == isColoured, isDark(row + 1, column) == isColoured) {
                case (false, false): " "
                case (true, false): "▀"
                case (false, true): "▄"
                case (true, true): "█"
                }
            }
            // Black on white (ECMA-48, SGR 30 and 107).
            lines.append(isColoured ? "\u{1B}[30;107m" + cells.joined() + "\u{1B}[0m" : cells.joined())
        }
        return lines.joined(separator: "\n")
    }

    /// The code as SVG, with one unit for each module.
    package var svg: String {
        let side = size + 2 * Self.quietZone
        var path = ""
        for row in 0..<size {
            for column in 0..<size where isDark(row, column) {
                path += "M\(column + Self.quietZone) \(row + Self.quietZone)h1v1h-1z"
            }
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" shape-rendering="crispEdges">
            <rect width="\(side)" height="\(side)" fill="#fff"/>
            <path d="\(path)" fill="#000"/>
            </svg>

            """
    }
}

/// Makes a QR code of a text; nil if it is too long. More upper-case text fits.
package typealias QREncoder = @Sendable (String) -> QRMatrix?
