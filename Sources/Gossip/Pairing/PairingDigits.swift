/// Six decimal digits.
package struct PairingDigits: Equatable, Sendable {
    /// Below 1,000,000.
    package let number: UInt32

    package init(number: UInt32) { self.number = number }

    /// As it is typed: six digits, maybe with blanks between them; nil for anything else.
    package init?(text: String) {
        let digits = text.unicodeScalars.filter { $0 != " " }
        guard digits.count == 6, digits.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
        number = digits.reduce(0) { $0 * 10 + ($1.value - 48) }
    }

    /// `042317`
    package var text: String {
        let plain = String(number)
        return String(repeating: "0", count: 6 - plain.count) + plain
    }
}
