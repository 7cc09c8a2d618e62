extension Unicode.Scalar {
    /// C0, delete, C1 and bidirectional control marks: not allowed in names of people, groups and games.
    package var isControl: Bool {
        value < 0x20 || (0x7F...0x9F).contains(value) || (0x202A...0x202E).contains(value)
            || (0x2066...0x2069).contains(value) || value == 0x2028 || value == 0x2029
    }
}
