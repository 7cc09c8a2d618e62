/// The limits of this module.
enum Limits {
    /// Bytes of one value, unless the reader says otherwise: a line, or the body of a request.
    static let valueBytes = 1 << 20
    /// Maximum nesting of arrays and objects: the API's documents nest ten deep, and a thread's stack is finite.
    static let depth = 128
}
