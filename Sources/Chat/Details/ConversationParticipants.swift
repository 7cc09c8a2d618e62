package import NodeCore
import SyncState

/// Who takes part in a conversation, in the order in which the app gave them.
package struct ConversationParticipants: RevisedValue {
    package struct Participant: Hashable, Sendable {
        private let exactAddress: ExactText
        private let exactName: ExactText

        /// UTF-8 of 1 to `Limits.participantBytes`.
        package var address: String { exactAddress.text }
        /// As long; empty where no name is known.
        package var name: String { exactName.text }

        package init(address: String, name: String = "") {
            exactAddress = ExactText(address)
            exactName = ExactText(name)
        }
    }

    package let list: [Participant]

    package init(_ list: [Participant]) throws(ConversationDetailsError) {
        guard list.count <= Limits.participants else { throw .tooManyParticipants }
        var total = 0
        for participant in list {
            guard !participant.address.isEmpty, participant.address.utf8.count <= Limits.participantBytes,
                participant.name.utf8.count <= Limits.participantBytes
            else { throw .participantTooLong }
            total += participant.address.utf8.count + participant.name.utf8.count
        }
        guard total <= Limits.participantsBytes else { throw .participantsTooLong }
        self.list = list
    }

    /// `[ * [address, name] ]`
    package func write(to writer: inout CBORWriter) {
        writer.writeArray(list.count)
        for participant in list {
            writer.writeArray(2)
            writer.write(text: participant.address)
            writer.write(text: participant.name)
        }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        let start = reader.position
        var list: [Participant] = []
        for _ in 0..<(try reader.readArray(max: Limits.participants)) {
            guard try reader.readArray(max: 2) == 2 else { throw .wrongSize(at: start) }
            list.append(
                Participant(
                    address: try reader.readText(max: Limits.participantBytes),
                    name: try reader.readText(max: Limits.participantBytes)))
        }
        do throws(ConversationDetailsError) {
            try self.init(list)
        } catch {
            throw .wrongSize(at: start)
        }
    }
}
