import Node

/// What an exchange makes of the command's reply.
protocol AnswerWriter {
    /// Set when it is known.
    var answer: HTTPAnswer? { get }
    /// Bytes of a stream that the reader has not taken yet, in the stream's form.
    var waitingBytes: Int { get }

    mutating func take(_ item: CommandReply.Item)
    /// The slice is over: what it said goes out.
    mutating func flush()
    /// Moves bytes of the stream; nil at its end.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int?
    /// The reply ended in a way after which the command is to begin anew, from now on.
    var needsReset: Bool { get }
    /// Shows that the connection lives.
    mutating func beat()
    /// Nothing more is told.
    mutating func cut()
}

extension AnswerWriter {
    var needsReset: Bool { false }
    mutating func beat() {}
    package mutating func cut() {}
}
