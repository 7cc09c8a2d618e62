import CMicrohttpd
import CMicrohttpdShim
import Commands
import NodeCore

/// A request as the library sees it, and the exchange that answers it.
final class MicrohttpdRequest {
    private let handle: OpaquePointer
    let connection: MicrohttpdConnection
    let target: String
    var exchange: (any HTTPExchange)?
    /// Only the head of the answer is wanted.
    var wantsHead = false

    private var isSuspended = false
    /// The whole body has been passed on.
    private(set) var isBodyOver = false
    private var isAnswered = false
    private var isStreamOver = false
    /// Nobody is reading the answer any more: the library should close the connection, and nothing may be suspended.
    private var isAbandoned = false

    init(handle: OpaquePointer, connection: MicrohttpdConnection, target: String) {
        self.handle = handle
        self.connection = connection
        self.target = target
    }

    /// The whole head is here, and nobody has answered it. Only in a report: the library hands the head over next.
    var isRefused: Bool { exchange == nil && !isAbandoned && kachat_http_has_head(handle) != 0 }

    /// The request's headers, with names in lower case.
    func headers() -> [(name: String, value: String)] {
        var headers: [Header] = []
        withUnsafeMutablePointer(to: &headers) { headers in
            _ = MHD_get_connection_values_n(handle, .HEADER_KIND, takeHeader, headers)
        }
        return headers
    }

    // MARK: Body

    /// Passes body bytes on and returns how many were accepted. After 0, the connection is not read further.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard !isAbandoned else { return bytes.count }
        let taken = exchange?.receive(bytes) ?? bytes.count
        if taken == 0 { suspend() }
        return taken
    }

    func endBody() {
        guard !isBodyOver else { return }
        isBodyOver = true
        exchange?.endBody()
    }

    // MARK: Answer

    /// Queues the answer if there is one.
    func answerIfReady(orSuspend suspends: Bool) -> MHD_Result {
        guard !isAnswered else { return .YES }
        guard let answer = exchange?.answer else {
            if isAbandoned { return .NO }
            if suspends { suspend() }
            return .YES
        }
        return queue(answer)
    }

    private func queue(_ answer: HTTPAnswer) -> MHD_Result {
        isAnswered = true
        guard let response = response(answer.body) else { return .NO }
        defer { MHD_destroy_response(response) }
        // The library (up to 0.9.76) ends a chunked body even if it sends none: the next answer would begin with that.
        if wantsHead, case .stream = answer.body {
            isStreamOver = true
            kachat_http_close_after(response)
        }
        for header in answer.headers { MHD_add_response_header(response, header.name, header.value) }
        return MHD_queue_response(handle, UInt32(answer.status), response)
    }

    private func response(_ body: HTTPAnswer.Body) -> OpaquePointer? {
        switch body {
        case .bytes(let bytes):
            bytes.withUnsafeBytes { buffer in
                // The library copies the buffer and does not change it.
                MHD_create_response_from_buffer(
                    buffer.count, UnsafeMutableRawPointer(mutating: buffer.baseAddress), .RESPMEM_MUST_COPY)
            }
        case .stream:
            MHD_create_response_from_callback(
                .max, Limits.streamBlockBytes, readStream, Unmanaged.passRetained(self).toOpaque(), releaseStream)
        }
    }

    /// Reads the next bytes of the stream. Suspends the request if none are ready.
    fileprivate func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard let exchange, !isStreamOver else { return Self.endOfStream }
        guard let count = exchange.read(into: buffer) else {
            isStreamOver = true
            return Self.endOfStream
        }
        if count == 0 { suspend() }
        return count
    }

    /// MHD_CONTENT_READER_END_OF_STREAM, a cast that Swift does not import.
    private static let endOfStream = -1

    // MARK: Waiting

    private func suspend() {
        guard !isSuspended else { return }
        isSuspended = true
        MHD_suspend_connection(handle)
    }

    /// Resumes a suspended request; false if it was not suspended.
    func wake() -> Bool {
        guard isSuspended else { return false }
        isSuspended = false
        MHD_resume_connection(handle)
        return true
    }

    /// The other end is gone or the server is stopping: nothing may stay suspended or be suspended again.
    func abandon() {
        isAbandoned = true
        isStreamOver = true
        _ = wake()
    }

    func close() {
        exchange?.wake = {}
        exchange?.close()
        exchange = nil
    }
}

private typealias Header = (name: String, value: String)

private func takeHeader(
    context: UnsafeMutableRawPointer?, kind: MHD_ValueKind, name: UnsafePointer<CChar>?, nameCount: Int,
    value: UnsafePointer<CChar>?, valueCount: Int
) -> MHD_Result {
    guard let context, let name else { return .YES }
    let field = String(decoding: UnsafeRawBufferPointer(start: name, count: nameCount), as: UTF8.self)
    let text = value.map { String(decoding: UnsafeRawBufferPointer(start: $0, count: valueCount), as: UTF8.self) }
    context.assumingMemoryBound(to: [Header].self).pointee.append((field.lowercased(), text ?? ""))
    return .YES
}

private func readStream(
    context: UnsafeMutableRawPointer?, position: UInt64, buffer: UnsafeMutablePointer<CChar>?, count: Int
) -> Int {
    guard let context, let buffer else { return -1 }
    let request = Unmanaged<MicrohttpdRequest>.fromOpaque(context).takeUnretainedValue()
    return request.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: count))
}

private func releaseStream(context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<MicrohttpdRequest>.fromOpaque(context).release()
}
