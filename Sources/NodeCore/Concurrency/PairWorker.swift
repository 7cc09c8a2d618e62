/// Does two pieces of work at a time, where there is a processor for each; both are done when it returns.
package protocol PairWorker: AnyObject {
    func run(_ one: () -> Void, and other: @Sendable () -> Void)
}
