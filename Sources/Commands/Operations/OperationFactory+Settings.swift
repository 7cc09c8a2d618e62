import Node

/// `config …`
extension OperationFactory {
    func settingsOperation(_ request: ControlRequest) throws(NodeError) -> (any ControlOperation)? {
        switch request.command {
        case "config list":
            return ImmediateOperation { [node] reply, _ in
                for key in SettingKey.allCases { reply.data(json(key, node.settings)) }
            }
        case "config get":
            let key = try key(request)
            return ImmediateOperation { [node] reply, _ in reply.data(json(key, node.settings)) }
        case "config set":
            let key = try key(request)
            guard let text = request.text("VALUE"), let value = key.read(text) else {
                throw NodeError(.usage, "`\(key.rawValue)` must be \(key.bounds)")
            }
            return change(key, value)
        case "config unset": return change(try key(request), nil)
        default: return nil
        }
    }

    private func key(_ request: ControlRequest) throws(NodeError) -> SettingKey {
        try SettingKey(named: request.text("KEY") ?? "")
    }

    private func change(_ key: SettingKey, _ value: JSONValue?) -> any ControlOperation {
        ImmediateOperation { [node] reply, _ in
            try node.changeSettings { $0.set(key, value) }
            reply.data(json(key, node.settings))
        }
    }

    private func json(_ key: SettingKey, _ settings: NodeSettings) -> JSONValue {
        .object([
            "key": .string(key.rawValue), "value": settings.value(key), "isSet": .bool(settings.given[key] != nil),
            "source": .string(settings.source(key)), "variable": .string(key.variable), "default": key.standard,
            "allowed": .string(key.bounds), "help": .string(key.help),
        ])
    }
}
