import Synchronization

/// Admits a limited number of tasks at a time; the others wait in line.
final class Turns: Sendable {
    private struct State {
        var free: Int
        var line: [(number: UInt64, continuation: CheckedContinuation<Bool, Never>)] = []
        var nextNumber: UInt64 = 0
    }

    private let state: Mutex<State>

    init(count: Int) { state = Mutex(State(free: count)) }

    /// Returns when it is the caller's turn; `leave` ends the turn.
    ///
    /// - Throws: `cancelled`; the caller then gets no turn.
    func enter() async throws(ClientError) {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        let isOurs = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
                let answer: Bool? = state.withLock { state in
                    if Task.isCancelled { return false }
                    if state.free > 0 {
                        state.free -= 1
                        return true
                    }
                    state.line.append((number, continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                state.line.firstIndex { $0.number == number }.map { state.line.remove(at: $0) }
            }
            waiting?.continuation.resume(returning: false)
        }
        guard isOurs else { throw .cancelled }
    }

    func leave() {
        let next = state.withLock { state in
            guard state.line.isEmpty else { return Optional(state.line.removeFirst()) }
            state.free += 1
            return nil
        }
        next?.continuation.resume(returning: true)
    }
}
