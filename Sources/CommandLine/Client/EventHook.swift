import Node

/// `events --exec COMMAND`: runs a command for each event.
struct EventHook {
    let command: String
    let errors: Output

    /// Runs it to its end. What others wrote comes in by the environment, where no shell reads it as anything but text.
    func run(_ event: JSONValue) throws(NodeError) {
        let status = ChildProgram.run(
            "/bin/sh", ["-c", command], seconds: Limits.hookSeconds,
            environment: [
                "EVENT_KIND": event["kind"]?.text ?? "", "EVENT_TEXT": Self.word(event["text"]?.text ?? ""),
                "EVENT_JSON": String(decoding: event.encoded, as: UTF8.self),
            ], isShown: true)
        guard let status else {
            return errors.complaint("the command was killed, or took longer than \(Limits.hookSeconds) s")
        }
        if status != 0 { errors.complaint("the command ended with \(status)") }
    }

    /// A name that others chose may begin the text: with a dash it would be an option to the program that is given it.
    static func word(_ text: String) -> String { text.utf8.first == UInt8(ascii: "-") ? " " + text : text }
}
