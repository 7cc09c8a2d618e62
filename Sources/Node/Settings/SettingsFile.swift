import Glibc

/// Reads and writes a home's `config.json`.
package enum SettingsFile {
    /// The settings; all defaults if there is no file.
    ///
    /// - Parameter environment: takes precedence over the file.
    package static func load(
        from home: HomeFolder, environment: Environment = Environment([:])
    ) throws(NodeError) -> NodeSettings {
        var settings = try load(path: home.settingsPath)
        try settings.take(environment)
        return settings
    }

    /// The same for any file, without the environment.
    package static func load(path: String) throws(NodeError) -> NodeSettings {
        let bytes: [UInt8]
        do {
            bytes = try FileDescriptor(path: path, flags: O_RDONLY).readAll(limit: Limits.settingsFileBytes)
        } catch  where error.number == ENOENT {
            return NodeSettings()
        } catch {
            throw NodeError(.badSettings, "cannot read \(path): \(error.reason)")
        }
        do {
            return try NodeSettings(json: bytes)
        } catch {
            throw NodeError(
                .badSettings, "\(path), line \(error.place.line), column \(error.place.column): \(error.reason)")
        }
    }

    /// Writes it atomically.
    package static func save(_ settings: NodeSettings, to home: HomeFolder) throws(NodeError) {
        do {
            try Files.replace(home.settingsPath, with: settings.encoded)
        } catch {
            throw home.notWritable(error)
        }
    }
}

/// An error in the settings file, and its place.
struct SettingsError: Error, Equatable {
    let place: JSONPlace
    /// Continues the sentence "line 3, column 7: …".
    let reason: String
}

extension NodeSettings {
    init(json: [UInt8]) throws(SettingsError) {
        if let fault = JSONFault(json) { throw SettingsError(place: fault.place, reason: fault.reason) }
        guard let members = JSONMember.all(of: json) else {
            throw SettingsError(place: JSONPlace(line: 1, column: 1), reason: "the settings are one JSON object")
        }
        for member in members {
            let key: SettingKey
            do {
                key = try SettingKey(named: member.name)
            } catch {
                throw SettingsError(place: member.place, reason: error.message)
            }
            guard given[key] == nil else {
                throw SettingsError(place: member.place, reason: "`\(member.name)` is set twice")
            }
            guard key.allows(member.value) else {
                throw SettingsError(place: member.valuePlace, reason: "`\(member.name)` must be \(key.bounds)")
            }
            set(key, member.value)
        }
    }

    /// The values that were set, one per line, in order of keys.
    package var encoded: [UInt8] {
        let lines = SettingKey.allCases.compactMap { key in
            given[key].map { value in
                "  "
                    + String(
                        decoding: JSONValue.string(key.rawValue).encoded + Array(": ".utf8) + value.encoded,
                        as: UTF8.self)
            }
        }
        return Array((lines.isEmpty ? "{}\n" : "{\n" + lines.joined(separator: ",\n") + "\n}\n").utf8)
    }
}
