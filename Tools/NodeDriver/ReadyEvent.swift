/// The line that `kachat-node run` prints when it serves.
struct ReadyEvent: Decodable {
    var event: String
    /// `HOST:PORT`
    var listen: String?
    /// `HOST:PORT` of the local API.
    var api: String?
}
