import NodeDriver
import ProcessHarness

extension Demo {
    /// The first node creates an account, the others get its phrase; beacons on loopback do the rest.
    mutating func findEachOther() throws {
        for name in chat.devices {
            let node = DrivenNode(binary, name: name, home: folder.file(name))
            if nodes.isEmpty {
                try node.initialise()
                try node.savePhrase(to: phraseFile)
            } else {
                try node.initialise(phraseFile: phraseFile)
            }
            nodes.append(node)
        }
        display.say(
            "1. \(nodes.count) nodes of one account start; beacons on loopback are all they know of each other.")
        let time = Stopwatch()
        for node in nodes { try node.start() }
        let others = nodes.count - 1
        try watch("the nodes find each other") { all in all.allSatisfy { $0.connectedDevices >= others } }
        display.say("   Each is connected with each after \(Text.duration(time.elapsed)).")
    }
}
