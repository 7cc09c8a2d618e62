/// The first byte of each message on an established session.
enum MessageType: UInt8 {
    case hello = 1
    case vector = 2
    case pull = 3
    case page = 4
    case peek = 5
    case rows = 6
    case have = 7
    case ranges = 8
    case keys = 9
    case fetch = 10
    case want = 11
    case missing = 12
    case recentBlob = 13
    case backfillBlob = 14
    case blobPart = 15
    case busy = 16
    case bye = 17
    case ping = 18
    case pong = 19
    case find = 20
    case found = 21
    case who = 22
    case vouch = 23
    case dismiss = 24
}
