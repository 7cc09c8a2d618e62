import Node
import NodeModel

/// `config …`
extension Command {
    static let settings: [Command] = [configList, configGet, configSet, configUnset]

    private static let key = Parameter.text("KEY", .choice("KEY", SettingKey.allCases.map(\.rawValue)))

    static let configList = Command(
        "config list", "List the settings and their defaults", on: .node,
        at: Endpoint("settings", .get, "/v1/settings", .scope(.admin), answer: .list(of: Setting.self, as: columns)),
        begin: listing { call in SettingKey.allCases.map { Setting($0, call.node.settings) } })

    static let configGet = Command(
        "config get", "Show a setting", examples: ["archive.ageSeconds"], takes: [key], on: .node,
        at: Endpoint("setting", .get, "/v1/settings/{key}", .home, answer: .object(Setting.self, shows: show)),
        begin: changingSetting { _, _ in })

    static let configSet: Command = {
        let value = Parameter.text(
            "VALUE", .text("VALUE"), "a text, also for a number: what the setting's `allowed` says")
        return Command(
            "config set", "Change a setting; takes effect immediately",
            examples: ["archive.ageSeconds 60"], takes: [key, value], on: .node,
            at: Endpoint(
                "changeSetting", .put, "/v1/settings/{key}", .owner, answer: .object(Setting.self, shows: show)),
            begin: changingSetting { call, key in
                guard let new = key.read(try call.need(value)) else {
                    throw NodeError(
                        .usage, "`\(key.rawValue)` must be \(key.bounds)\(blaming: value.spec.name)")
                }
                try call.node.changeSettings { $0.set(key, new) }
            })
    }()

    static let configUnset = Command(
        "config unset", "Reset a setting to its default", examples: ["archive.ageSeconds"], takes: [key], on: .node,
        at: Endpoint("unsetSetting", .delete, "/v1/settings/{key}", .owner, answer: .object(Setting.self, shows: show)),
        begin: changingSetting { call, key in try call.node.changeSettings { $0.set(key, nil) } })

    /// Changes the named setting and answers with its new value.
    private static func changingSetting(_ change: @escaping @Sendable (Call, SettingKey) throws -> Void) -> Begin {
        reading { call in
            let key = try SettingKey(named: try call.need(key))
            try change(call, key)
            return Setting(key, call.node.settings)
        }
    }

    private static let columns = ListColumns<Setting>(
        whenEmpty: "",
        [
            .text("SETTING") { $0.key }, .text("VALUE", .shortened(to: 8)) { Output.plain($0.value.json) },
            .text("FROM") { setting in
                switch setting.source {
                case "environment": setting.variable
                case "default": "default"
                default: "config.json"
                }
            },
            .text("MEANING", .wrapped(at: 16)) { $0.help },
        ])

    @Sendable private static func show(_ setting: Setting, _ output: Output) { columns.show([setting], output) }
}

extension Setting {
    fileprivate init(_ key: SettingKey, _ settings: NodeSettings) {
        self.init()
        self.key = key.rawValue
        value = Scalar(settings.value(key))
        isSet = settings.given[key] != nil
        source = settings.source(key)
        variable = key.variable
        standard = Scalar(key.standard)
        allowed = key.bounds
        help = key.help
    }
}
