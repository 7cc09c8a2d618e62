import CSodium

/// libsodium's one-time initialisation; every wrapper in this folder asks for it before its first call.
package enum Sodium {
    private static let started: Void = {
        // -1 means that the system has no randomness; every key made afterwards would be worthless.
        precondition(sodium_init() >= 0, "invariant: libsodium starts")
    }()

    /// Initialises libsodium once a process; it then picks the fastest code for this processor.
    @inline(__always)
    package static func start() { _ = started }
}

extension UnsafeRawBufferPointer {
    /// The first byte, as C wants it; for an empty buffer an address that is not null and never read.
    @inline(__always)
    var start: UnsafePointer<UInt8> {
        baseAddress?.assumingMemoryBound(to: UInt8.self) ?? UnsafePointer(Nowhere.address)
    }
}

extension UnsafeMutableRawBufferPointer {
    /// The first byte, as C wants it; for an empty buffer an address that is not null and never written.
    @inline(__always)
    var start: UnsafeMutablePointer<UInt8> {
        baseAddress?.assumingMemoryBound(to: UInt8.self) ?? Nowhere.address
    }
}

/// A valid address for buffers without bytes: libsodium declares its parameters as never null.
private enum Nowhere {
    nonisolated(unsafe) static let address = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
}

/// Why a cryptographic operation gave no result.
package enum CryptoError: Error, Equatable, Sendable {
    /// The bytes, the associated data, the nonce or the key are not those that were sealed.
    case authenticationFailed
    /// The input is too short to hold a nonce and a tag.
    case tooShort
    /// A key agreement gave zero: the other side's key is a point of small order.
    case weakKey
}
