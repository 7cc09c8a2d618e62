/// A value that is one item in our subset of CBOR.
@usableFromInline
package protocol CBORValue {
    func write(to writer: inout CBORWriter)
}

extension UInt64: CBORValue {
    @usableFromInline package func write(to writer: inout CBORWriter) { writer.write(self) }
}

extension UInt32: CBORValue {
    @usableFromInline package func write(to writer: inout CBORWriter) { writer.write(UInt64(self)) }
}

extension Int64: CBORValue {
    @usableFromInline package func write(to writer: inout CBORWriter) { writer.write(self) }
}

extension Int: CBORValue {
    @usableFromInline package func write(to writer: inout CBORWriter) { writer.write(self) }
}

extension Bool: CBORValue {
    @usableFromInline package func write(to writer: inout CBORWriter) { writer.write(self) }
}

extension String: CBORValue {
    @usableFromInline package func write(to writer: inout CBORWriter) { writer.write(text: self) }
}

/// A byte string.
extension [UInt8]: CBORValue {
    @usableFromInline package func write(to writer: inout CBORWriter) { writer.write(bytes: self) }
}

/// Milliseconds.
extension WallTime: CBORValue {
    @usableFromInline package func write(to writer: inout CBORWriter) { writer.write(milliseconds) }
}

/// Null if it is absent.
extension Optional: CBORValue where Wrapped: CBORValue {
    @usableFromInline package func write(to writer: inout CBORWriter) {
        if let self { self.write(to: &writer) } else { writer.writeNull() }
    }
}

extension Identifier {
    @usableFromInline package func write(to writer: inout CBORWriter) { writer.write(self) }
}
