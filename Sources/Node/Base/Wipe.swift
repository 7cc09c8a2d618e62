import Glibc

/// Overwrites bytes that held a secret; the compiler may not drop it (explicit_bzero(3)).
package func wipe(_ bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBytes { buffer in
        if let start = buffer.baseAddress { explicit_bzero(start, buffer.count) }
    }
}
