package struct Added: Model {
    package var txid = ""
    package var result = AddResult.new

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("txid", &txid, .txid)
        field("result", &result)
    }
}

package struct DeletedMessage: Model {
    package var txid = ""
    /// True if it was deleted before.
    package var wasDeleted = false
    package var counts = DeleteResult()

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        var result = wasDeleted ? Result.known : .deleted
        field("txid", &txid, .txid)
        field("result", &result)
        wasDeleted = result == .known
        counts.fields(&field)
    }

    package enum Result: String, Word {
        case deleted
        case known
    }
}

/// The answer to restoring a message.
package struct RestoredMessage: Model {
    package var txid = ""
    package var result = Result.restored

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("txid", &txid, .txid)
        field("result", &result)
    }

    package enum Result: String, Word {
        case restored
        /// The message was not deleted; or its deletion is undone, and nothing of it is listed here.
        case known
    }
}

/// The answer to a hint: the placeholder for the message, or the state of a known message.
package struct Hinted: Model {
    package var txid = ""
    package var result = AddResult.hinted
    /// `syncing` for a placeholder; nil for a deleted message.
    package var status: String?
    // Of a placeholder, as in `Message`.
    package var conversationId: String?
    package var contact: String?
    package var direction: Direction?
    package var senderTs: Int?
    package var blockTime: Int?
    package var acceptingDaaScore: Int?
    package var isRead: Bool?
    package var cursor: String?
    package var hintedAt: Int?
    package var waitingFor: String?
    package var nextTry: Int?

    package init() {}

    package init(placeholder: Message, isNew: Bool) {
        txid = placeholder.txid
        result = isNew ? .hinted : .known
        status = placeholder.status
        conversationId = placeholder.conversationId
        contact = placeholder.contact
        direction = placeholder.direction
        senderTs = placeholder.senderTs
        blockTime = placeholder.blockTime
        acceptingDaaScore = placeholder.acceptingDaaScore
        isRead = placeholder.isRead
        cursor = placeholder.cursor
        hintedAt = placeholder.hintedAt
        waitingFor = placeholder.waitingFor
        nextTry = placeholder.nextTry
    }

    package mutating func fields(_ field: inout FieldCoder) {
        field("txid", &txid, .txid)
        field("result", &result)
        field.optional("status", &status, asNull: true)
        field.optional("conversationId", &conversationId)
        field.optional("contact", &contact)
        field.optional("direction", &direction)
        field.optional("senderTs", &senderTs, .senderTime)
        field.optional("blockTime", &blockTime, .time)
        field.optional("acceptingDaaScore", &acceptingDaaScore)
        field.optional("read", &isRead)
        field.optional("cursor", &cursor)
        field.optional("hintedAt", &hintedAt, .time)
        field.optional("waitingFor", &waitingFor)
        field.optional("nextTry", &nextTry, .time, asNull: waitingFor != nil)
    }
}

package struct Learned: Model {
    package static let modelName = "ChainResult"
    package var txid = ""
    package var result = ChainResult.changed

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("txid", &txid, .txid)
        field("result", &result)
    }
}

/// A chain event: a line of `message confirm` and `message reorg`.
package struct ChainLine: Model {
    package var txid = ""
    package var blockTime: Int?
    package var acceptingDaaScore: Int?
    package var status: ChainStatus?

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("txid", &txid, .txid)
        field.optional("blockTime", &blockTime, .milliseconds)
        field.optional("acceptingDaaScore", &acceptingDaaScore, .upTo(Limits.acceptingDaaScore))
        field.optional("status", &status)
    }
}

package struct ImportedEvents: Model {
    package var lines = 0
    package var refused = 0
    package var changed = 0
    package var waiting = 0
    package var known = 0
    package var deleted = 0

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("lines", &lines)
        field("refused", &refused)
        field("changed", &changed)
        field("waiting", &waiting)
        field("known", &known)
        field("deleted", &deleted)
    }
}
