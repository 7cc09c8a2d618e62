package import NodeCore

/// A message or conversation that was deleted and can be brought back with its bodies.
package struct RecentDeletion: Sendable {
    package let subject: Deletion.Subject
    /// When, by the clock of the device where the user said so.
    package let at: WallTime
    /// How long this node will run until the bodies go.
    package let left: Duration
    /// A copy of the message, if it is one and is here.
    package let copy: ChatMessage?

    var isMessage: Bool { if case .message = subject { true } else { false } }
}
