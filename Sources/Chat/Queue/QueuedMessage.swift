/// A message of the queue and its row.
struct QueuedMessage {
    var row: Int64
    var message: ChatMessage
}
