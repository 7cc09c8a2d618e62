/// A FIFO queue that counts its bytes.
struct MessageQueue {
    private var messages: [[UInt8]] = []
    private var head = 0
    private(set) var bytes = 0

    var isEmpty: Bool { head == messages.count }

    var first: [UInt8]? { isEmpty ? nil : messages[head] }

    mutating func append(_ message: [UInt8]) {
        messages.append(message)
        bytes += message.count
    }

    mutating func removeFirst() {
        bytes -= messages[head].count
        // Frees the message's memory now. The slots are compacted when half of them are empty.
        messages[head] = []
        head += 1
        if head == messages.count {
            messages.removeAll(keepingCapacity: messages.count <= 64)
            head = 0
        } else if head > 64, head > messages.count / 2 {
            messages.removeFirst(head)
            head = 0
        }
    }
}
