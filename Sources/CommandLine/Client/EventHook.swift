import Node

/// `events --exec COMMAND`: runs a command for each event.
struct EventHook {
    let command: String
    let errors: Output

    /// Runs the command and waits for it. Text from others is passed in the environment, so no shell interprets it.
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
        if status != 0 { errors.complaint("the command exited with status \(status)") }
    }

    /// The text may begin with a name that others chose: a leading dash would look like an option to a program.
    static func word(_ text: String) -> String { text.utf8.first == UInt8(ascii: "-") ? " " + text : text }
}
