import Chat
package import JSONLines
import NodeCore
import SyncState

extension DeletionReport {
    /// What `message delete` and `conversation delete` answer besides what they deleted.
    package var fields: [String: JSONValue] {
        [
            "messages": .number(messages), "cutAnew": .number(cutAnew), "staySealed": .number(staySealed),
            "waitFor": .array(
                waitFor.map {
                    .object(["deviceId": .string($0.device.hex), "segments": .number($0.segments)])
                }),
        ]
    }
}
