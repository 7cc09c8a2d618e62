/// Events of a `StreamConnection`.
package enum StreamEvent {
    /// The connection that this side opened is established. Accepted ones are from the start.
    case connected
    /// Bytes arrived; valid during the call only.
    case bytes(UnsafeRawBufferPointer)
    /// The socket accepts bytes again, after `write` had to leave some.
    case writable
    /// The peer sends no more. The owner closes, now or after writing its answer.
    case endOfInput
    /// The connection broke or could not be made. It is already closed.
    case failed(SystemError)
}
