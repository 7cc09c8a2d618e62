import CZlib

/// Compresses the body of an answer for a caller that accepts gzip (RFC 1952, RFC 9110 §8.4.1.3), some bytes at a time,
/// so that a long answer does not hold up the loop.
final class GzipBody {
    /// Allocated, since zlib remembers its address.
    private let stream: UnsafeMutablePointer<z_stream>
    private var input: ArraySlice<UInt8>
    private var output: [UInt8] = []

    /// - Returns: nil if zlib has no memory; the body is sent as it is then.
    init?(_ bytes: [UInt8]) {
        input = bytes[...]
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // Level 1, and a window of 8 KiB: half of the work and a quarter of the memory of zlib's defaults, for JSON
        // that shrinks to a tenth anyway. 16 asks for gzip's frame.
        let status = deflateInit2_(
            stream, 1, Z_DEFLATED, 16 + 13, 6, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { return nil }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Compresses the next piece.
    ///
    /// - Returns: the whole body once it is ready; nil before.
    func step() -> [UInt8]? {
        var piece = Array(input.prefix(Limits.gzipStepBytes))
        input = input.dropFirst(piece.count)
        let mode = input.isEmpty ? Z_FINISH : Z_NO_FLUSH
        let pieceBytes = piece.count
        piece.withUnsafeMutableBufferPointer { piece in
            stream.pointee.next_in = piece.baseAddress
            stream.pointee.avail_in = UInt32(pieceBytes)
            var isFull = true
            while isFull {
                let room = 16 << 10
                output.append(
                    contentsOf: [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                        stream.pointee.next_out = buffer.baseAddress
                        stream.pointee.avail_out = UInt32(room)
                        deflate(stream, mode)
                        count = room - Int(stream.pointee.avail_out)
                    })
                isFull = stream.pointee.avail_out == 0
            }
        }
        return input.isEmpty ? output : nil
    }
}

extension GzipBody {
    /// The compressed form of a document that is made once; nil if zlib has no memory.
    static func whole(_ bytes: [UInt8]) -> [UInt8]? {
        guard let body = GzipBody(bytes) else { return nil }
        while true { if let whole = body.step() { return whole } }
    }
}

extension HTTPRequest {
    /// True if the caller takes gzip (RFC 9110 §12.5.3).
    var acceptsGzip: Bool {
        guard let header = header("accept-encoding") else { return false }
        var codings: [Substring: Bool] = [:]
        for part in header.lowercased().split(separator: ",") {
            let words = part.filter { $0 != " " && $0 != "\t" }.split(separator: ";")
            guard let name = words.first else { continue }
            let weight = words.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2)
            codings[name] = weight.map { Double($0) ?? 0 > 0 } ?? true
        }
        return codings["gzip"] ?? codings["x-gzip"] ?? codings["*"] ?? false
    }
}

extension HTTPAnswer {
    /// The body, if it is one that gzip makes smaller: a document of some size.
    var compressible: [UInt8]? {
        guard case .bytes(let bytes) = body, bytes.count >= Limits.gzipLeastBytes else { return nil }
        return bytes
    }

    /// This answer with its compressed body, if there is one. Its tag is a weak one: other bytes of the same content.
    func gzipped(_ bytes: [UInt8]?) -> HTTPAnswer {
        guard let bytes else { return self }
        var headers = headers.map { header in header.name == "ETag" ? ("ETag", "W/" + header.value) : header }
        headers += [("Content-Encoding", "gzip"), ("Vary", "Accept-Encoding")]
        return HTTPAnswer(status: status, headers: headers, body: .bytes(bytes))
    }
}
