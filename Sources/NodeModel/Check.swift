/// One check of `doctor`: its result, and advice if something is wrong.
package struct Check: Model {
    package enum State: String, Word {
        case ok
        /// It works but needs attention.
        case warning
        case failure
    }

    /// A stable word for scripts, such as `identity`.
    package var name = ""
    package var state = State.ok
    /// One sentence.
    package var text = ""
    /// Nil if there is nothing to do.
    package var advice: String?
    package var details = Details()

    package init() {}

    package init(_ name: String, _ state: State, _ text: String, advice: String? = nil, details: Details = Details()) {
        self.name = name
        self.state = state
        self.text = text
        self.advice = advice
        self.details = details
    }

    package mutating func fields(_ field: inout FieldCoder) {
        field("check", &name)
        field("state", &state)
        field("text", &text)
        field("advice", &advice)
        details.fields(of: name, &field)
    }

    /// Each check has some of these.
    package struct Details: Hashable, Sendable {
        package var accountId: String?
        package var label: String?
        // `node`, `port`
        package var running: Bool?
        package var pid: Int?
        package var api: String?
        package var listen: String?
        package var discovery: String?
        package var startedAt: Int?
        // `home`, `phrase`, `backup`
        package var home: String?
        package var freeBytes: Int?
        package var phraseOnDevice: Bool?
        package var madeAt: Int?
        // `store`, `messages`, `owner`
        package var store: String?
        package var bytes: Int?
        package var verdict: Verdict?
        package var missing: Gap?
        package var placeholders: Int?
        package var queued: Int?
        package var groupId: String?
        package var title: String?
        package var devices: Int?
        // `peers`
        package var peers: [Peer]?
        // `discovery`, `firewall`, `container`
        package var interface: String?
        package var ways: [String: String]?
        package var installed: [String]?
        package var mark: String?

        package init() {}

        package init(_ set: (inout Details) -> Void) { set(&self) }

        fileprivate mutating func fields(of check: String, _ field: inout FieldCoder) {
            field.optional("accountId", &accountId)
            field.optional("label", &label)
            field.optional("running", &running)
            field.optional("pid", &pid)
            field.optional("api", &api, asNull: running == true)
            field.optional("listen", &listen, asNull: running == true)
            field.optional("discovery", &discovery)
            field.optional("startedAt", &startedAt, .time)
            field.optional("home", &home)
            field.optional("freeBytes", &freeBytes, asNull: check == "home")
            field.optional("phraseOnDevice", &phraseOnDevice)
            field.optional("madeAt", &madeAt, .time, asNull: check == "backup")
            field.optional("store", &store)
            field.optional("bytes", &bytes)
            field.optional("verdict", &verdict)
            field.optional("missing", &missing, asNull: check == "messages")
            field.optional("placeholders", &placeholders)
            field.optional("queued", &queued)
            field.optional("groupId", &groupId)
            field.optional("title", &title)
            field.optional("devices", &devices)
            field.optional("peers", &peers)
            field.optional("interface", &interface)
            field.optional("ways", &ways)
            field.optional("installed", &installed)
            field.optional("mark", &mark)
        }
    }

    package struct Peer: Model {
        package static let modelName = "MetPeer"
        package var deviceId = ""
        package var name: String?
        package var foundBy: String?
        package var roundTripMicroseconds: Int?
        package var clockAheadMilliseconds: Int?

        package init() {}

        package mutating func fields(_ field: inout FieldCoder) {
            field("deviceId", &deviceId)
            field("name", &name)
            field("foundBy", &foundBy)
            field("roundTripMicroseconds", &roundTripMicroseconds)
            field("clockAheadMilliseconds", &clockAheadMilliseconds)
        }
    }
}

package struct Examination: Model {
    package var ok = true
    package var running = false
    package var failures = 0
    package var warnings = 0
    package var checks: [Check] = []

    package init() {}

    package init(_ checks: [Check], isRunning: Bool) {
        self.checks = checks
        running = isRunning
        failures = checks.count { $0.state == .failure }
        warnings = checks.count { $0.state == .warning }
        ok = failures == 0
    }

    package mutating func fields(_ field: inout FieldCoder) {
        field("ok", &ok)
        field("running", &running)
        field("failures", &failures)
        field("warnings", &warnings)
        field("checks", &checks)
    }
}
