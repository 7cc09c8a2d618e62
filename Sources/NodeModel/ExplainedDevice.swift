/// The way by which a device was let in, and its state since.
package struct ExplainedDevice: Model {
    package var deviceId = ""
    package var name: String?
    package var state = ""
    /// The state in a sentence.
    package var sentence = ""
    /// From the device back to the recovery phrase, as far as it leads.
    package var way: [Step] = []
    /// In milliseconds since 1970; nil if it was not removed, or that is unknown.
    package var removedAt: Int?
    /// Removed devices of whose removal it has not heard, as far as it shows.
    package var unheard: [RemovedDevice.Named] = []
    /// The ids that it had before fresh starts, the latest first.
    package var earlier: [String] = []

    package struct Step: Model {
        package static let modelName = "EntranceStep"
        package var deviceId = ""
        package var name: String?
        /// The id of the device that let it in, or `phrase`.
        package var by = ""
        package var byName: String?
        /// When this device learned of it, in milliseconds since 1970; nil if unknown.
        package var at: Int?

        package init() {}

        package mutating func fields(_ field: inout FieldCoder) {
            field("deviceId", &deviceId)
            field("name", &name)
            field("by", &by)
            field("byName", &byName)
            field("at", &at, .time)
        }
    }

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("deviceId", &deviceId)
        field("name", &name)
        field("state", &state)
        field("sentence", &sentence)
        field("way", &way)
        field("removedAt", &removedAt, .time)
        field("unheard", &unheard)
        field("earlier", &earlier)
    }
}
