/// Runs two pieces of work in parallel if there is a processor for each; returns when both are done.
package protocol PairWorker: AnyObject {
    func run(_ one: () -> Void, and other: @Sendable () -> Void)
}
