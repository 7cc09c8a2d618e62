import Node

extension Endpoint {
    /// What is wrong with a request, with the names that requests have for parameters.
    func problem(_ error: NodeError) -> Problem {
        Problem(error) { name in parameters.first { $0.option == name }?.name }
    }
}
