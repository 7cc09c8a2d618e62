/// A request's target, split and unescaped (RFC 3986 §2.1, §3.3, §3.4).
struct HTTPTarget: Equatable {
    struct Item: Equatable {
        package let name: String
        package let value: String
    }

    /// The path's parts between the slashes; `/v1/status` has two.
    package let path: [String]
    /// In their order.
    package let query: [Item]

    /// Refuses a target that is not an absolute path, or has a broken escape, a zero byte or invalid UTF-8. An error in
    /// a parameter's value names the parameter.
    init(_ text: String) throws(Problem) {
        let bytes = Array(text.utf8)
        guard bytes.first == UInt8(ascii: "/"), bytes.count <= Limits.httpTargetBytes else { throw .badTarget }
        let whole = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
        var path: [String] = []
        for part in bytes[1..<whole].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let text = HTTPTarget.text(part, plusIsBlank: false) else { throw .badTarget }
            path.append(text)
        }
        var query: [Item] = []
        for part in bytes[min(whole + 1, bytes.count)...].split(separator: UInt8(ascii: "&")) {
            let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            guard let name = HTTPTarget.text(part[..<equals], plusIsBlank: true) else { throw .badTarget }
            guard let value = HTTPTarget.text(part[equals...].dropFirst(), plusIsBlank: true) else {
                throw .parameter(
                    String(name.prefix(64)), "must be UTF-8, with whole escapes such as %20 and without a zero byte")
            }
            query.append(Item(name: name, value: value))
        }
        self.path = path
        self.query = query
    }

    private static func text(_ escaped: ArraySlice<UInt8>, plusIsBlank: Bool) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(escaped.count)
        var rest = escaped
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsBlank: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        // C libraries end a text at a zero byte.
        guard !bytes.contains(0) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
    }
}
