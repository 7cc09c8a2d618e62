import NodeCore
import Transport

/// One request from within the program, and its answer on the way from the loop's thread, which makes it, to a task,
/// which reads it. The unread part is bounded; meanwhile the node's side waits.
package final class DirectRequest: Sendable {
    /// A part of the answer.
    package enum Part: Sendable {
        case head(status: Int, headers: [(name: String, value: String)])
        case bytes([UInt8])
        case end
        /// The node has stopped.
        case cutOff
        case cancelled
    }

    private struct State {
        /// The rest of the request's body; nil once all of it was taken.
        var body: ArraySlice<UInt8>?
        var hasHead = false
        /// Parts not read yet: the head and up to one piece of the body.
        var parts: [Part] = []
        var isWhole = false
        var isCutOff = false
        /// The reader has gone.
        var isLeft = false
        var reader: CheckedContinuation<Part, Never>?
    }

    package let head: HTTPRequest
    private let state: Lock<State>
    /// Causes a turn of the loop.
    private let wake: @Sendable () -> Void

    init(_ head: HTTPRequest, body: [UInt8], wake: @escaping @Sendable () -> Void) {
        self.head = head
        self.wake = wake
        state = Lock(State(body: body[...]))
    }

    // MARK: The loop's thread

    /// Moves data both ways. True once the request is done.
    package func serve(_ exchange: any HTTPExchange) -> Bool {
        if state.withLock({ $0.isLeft }) { return true }
        giveBody(to: exchange)
        if let answer = exchange.answer { take(answer, from: exchange) }
        return state.withLock { $0.isWhole }
    }

    private func giveBody(to exchange: any HTTPExchange) {
        guard var rest = state.withLock({ $0.body }) else { return }
        while !rest.isEmpty {
            let taken = rest.withUnsafeBytes { exchange.receive($0) }
            guard taken > 0 else { break }
            rest = rest.dropFirst(taken)
        }
        let isGiven = rest.isEmpty
        state.withLock { $0.body = isGiven ? nil : rest }
        if isGiven { exchange.endBody() }
    }

    private func take(_ answer: HTTPAnswer, from exchange: any HTTPExchange) {
        let (hasHead, hasRoom) = state.withLock { ($0.hasHead, $0.parts.isEmpty && !$0.isWhole) }
        if !hasHead {
            put(.head(status: answer.status, headers: answer.headers)) { $0.hasHead = true }
            guard case .bytes(let bytes) = answer.body else { return }
            if !bytes.isEmpty { put(.bytes(bytes)) }
            put(.end) { $0.isWhole = true }
        } else if hasRoom, case .stream = answer.body {
            var isOver = false
            let bytes = [UInt8](unsafeUninitializedCapacity: Limits.httpStreamBytes) { buffer, count in
                let got = exchange.read(into: UnsafeMutableRawBufferPointer(buffer))
                isOver = got == nil
                count = got ?? 0
            }
            if isOver { put(.end) { $0.isWhole = true } } else if !bytes.isEmpty { put(.bytes(bytes)) }
        }
    }

    /// Cuts the answer off, since the node stops.
    package func cutOff() { put(.cutOff) { $0.isCutOff = true } }

    private func put(_ part: Part, _ change: (inout State) -> Void = { _ in }) {
        let reader = state.withLock { state in
            change(&state)
            let reader = state.reader
            state.reader = nil
            if reader == nil { state.parts.append(part) }
            return reader
        }
        guard let reader else { return }
        reader.resume(returning: part)
        wake()
    }

    // MARK: The reader

    /// Waits for the next part of the answer. Only one task at a time may call this.
    package func next() async -> Part {
        let part = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Part, Never>) in
                let part: Part? = state.withLock { state in
                    if Task.isCancelled { return .cancelled }
                    if !state.parts.isEmpty { return state.parts.removeFirst() }
                    if state.isCutOff { return .cutOff }
                    if state.isWhole { return .end }
                    state.reader = continuation
                    return nil
                }
                if let part { continuation.resume(returning: part) }
            }
        } onCancel: {
            let reader = state.withLock { state in
                defer { state.reader = nil }
                return state.reader
            }
            reader?.resume(returning: .cancelled)
        }
        // There is room now.
        wake()
        return part
    }

    /// Called when the reader stops reading.
    package func leave() {
        state.withLock { $0.isLeft = true }
        wake()
    }
}
