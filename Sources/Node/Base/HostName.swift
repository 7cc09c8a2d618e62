import Glibc

/// The machine's name, as the initial name of the device.
package enum HostName {
    /// The host's name up to its first dot; `device` if there is none.
    package static var current: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "device" }
        let name = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let short = name.prefix { $0 != "." }.prefix(40)
        return short.isEmpty ? "device" : String(short)
    }
}
