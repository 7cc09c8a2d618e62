import Chat
package import JSONLines
import Node
import NodeCore
import SyncState

extension AccountDevice {
    /// As `device list` gives it.
    package var json: JSONValue {
        .object([
            "deviceId": .optional(id?.hex), "name": .optional(description?.name),
            "appVersion": .optional(description?.appVersion), "thisDevice": .bool(isThisDevice),
            "connected": .bool(isConnected), "lastSeenAt": .optional(lastSeenAt?.milliseconds),
            "holdsUpTo": .optional(holdsUpTo?.milliseconds), "lanes": .array(lanes.map { .string($0.hex) }),
        ])
    }
}
