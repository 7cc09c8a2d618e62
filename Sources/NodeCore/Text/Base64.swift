import CSodium

/// Base64 with padding (RFC 4648 §4).
package enum Base64 {
    /// Nil if the text is not base64.
    package static func decode(_ text: String) -> [UInt8]? {
        Sodium.start()
        var text = text
        return text.withUTF8 { source in
            var count = 0
            var isWhole = false
            let bytes = [UInt8](unsafeUninitializedCapacity: source.count / 4 * 3 + 3) { target, length in
                guard let start = target.baseAddress else { return }
                source.withMemoryRebound(to: CChar.self) { letters in
                    guard let first = letters.baseAddress else {
                        isWhole = true
                        return
                    }
                    let status = sodium_base642bin(
                        start, target.count, first, letters.count, nil, &count, nil, sodium_base64_VARIANT_ORIGINAL)
                    isWhole = status == 0
                }
                length = isWhole ? count : 0
            }
            return isWhole ? bytes : nil
        }
    }

    package static func encode(_ bytes: [UInt8]) -> String {
        encode(bytes, sodium_base64_VARIANT_ORIGINAL)
    }

    /// In the alphabet of addresses and file names, without padding (RFC 4648 §5).
    package static func encodeForURL(_ bytes: [UInt8]) -> String {
        encode(bytes, sodium_base64_VARIANT_URLSAFE_NO_PADDING)
    }

    private static func encode(_ bytes: [UInt8], _ variant: Int32) -> String {
        Sodium.start()
        let size = sodium_base64_encoded_len(bytes.count, variant)
        let letters = [UInt8](unsafeUninitializedCapacity: size) { target, length in
            target.withMemoryRebound(to: CChar.self) { letters in
                guard let start = letters.baseAddress else { return }
                _ = sodium_bin2base64(start, size, bytes, bytes.count, variant)
            }
            // The last one is the zero that C wants.
            length = size - 1
        }
        return String(decoding: letters, as: UTF8.self)
    }
}
