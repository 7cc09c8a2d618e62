/// What happens on a `StreamConnection`.
package enum StreamEvent {
    /// The connection that this side opened stands. Accepted ones stand from the start.
    case connected
    /// Bytes arrived; valid during the call only.
    case bytes(UnsafeRawBufferPointer)
    /// The socket takes bytes again, after `write` had to leave some behind.
    case writable
    /// The peer sends no more. The owner closes, now or when it has written its answer.
    case endOfInput
    /// The connection broke, or could not be made. It is closed already.
    case failed(SystemError)
}
