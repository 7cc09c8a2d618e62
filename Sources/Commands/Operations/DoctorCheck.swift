package import JSONLines

/// One thing that `doctor` looked at: how it is, and what to do where something is to be done.
package struct DoctorCheck: Equatable {
    package enum State: String {
        case ok
        /// It works, and something is to be seen to.
        case warning
        case failure
    }

    /// What was looked at: a word that scripts can rely on, such as `identity`.
    package let name: String
    package let state: State
    /// One sentence.
    package let text: String
    /// What to do; nil where there is nothing to do.
    package let advice: String?
    /// What else is known, by names of its own.
    package let fields: [String: JSONValue]

    package init(
        _ name: String, _ state: State, _ text: String, advice: String? = nil, fields: [String: JSONValue] = [:]
    ) {
        self.name = name
        self.state = state
        self.text = text
        self.advice = advice
        self.fields = fields
    }

    package var json: JSONValue {
        let common: [String: JSONValue] = [
            "check": .string(name), "state": .string(state.rawValue), "text": .string(text),
            "advice": .optional(advice),
        ]
        return .object(common.merging(fields) { common, _ in common })
    }

    /// One that the running node has told; nil where that is none.
    package init?(json: JSONValue) {
        guard case .object(var rest) = json, let name = rest.removeValue(forKey: "check")?.text,
            let state = rest.removeValue(forKey: "state")?.text.flatMap(State.init),
            let text = rest.removeValue(forKey: "text")?.text
        else { return nil }
        let advice = rest.removeValue(forKey: "advice")?.text
        self.init(name, state, text, advice: advice, fields: rest)
    }
}
