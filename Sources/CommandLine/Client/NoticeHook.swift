import Node

/// `notices --exec COMMAND`: runs a command for each notice.
struct NoticeHook {
    let command: String
    let errors: Output

    /// Runs the command and waits for it. Text from others is passed in the environment, so no shell interprets it.
    func run(_ notice: JSONValue) throws(NodeError) {
        let told = [
            "KIND": notice["kind"]?.text ?? "", "TEXT": Self.word(notice["text"]?.text ?? ""),
            "JSON": String(decoding: notice.encoded, as: UTF8.self),
        ]
        // Under their former names, too.
        let environment = told.reduce(into: [String: String]()) { names, each in
            for kind in ["NOTICE", "EVENT"] { names["\(kind)_\(each.key)"] = each.value }
        }
        let status = ChildProgram.run(
            "/bin/sh", ["-c", command], seconds: Limits.hookSeconds, environment: environment, isShown: true)
        guard let status else {
            return errors.complaint("the command was killed, or took longer than \(Limits.hookSeconds) s")
        }
        if status != 0 { errors.complaint("the command exited with status \(status)") }
    }

    /// The text may begin with a name that others chose: a leading dash would look like an option to a program.
    static func word(_ text: String) -> String { text.utf8.first == UInt8(ascii: "-") ? " " + text : text }
}
