import NodeModel
import Testing

@testable import CommandLine
@testable import Commands
@testable import Node

@Suite struct MachineFactsTests {
    private func mark(_ docker: Bool, _ container: Bool, _ cgroup: String) -> String? {
        MachineFacts.containerMark(hasDockerFile: docker, hasContainerFile: container, cgroup: cgroup)
    }

    @Test func containersShowByTheirFilesOrTheirGroup() {
        #expect(mark(false, false, "0::/init.scope\n") == nil)
        #expect(mark(true, false, "") == "/.dockerenv")
        #expect(mark(false, true, "") == "/run/.containerenv")
        #expect(mark(false, false, "12:pids:/kubepods/burstable/pod1\n") == "kubepods in /proc/1/cgroup")
    }

    @Test func whatIsInTheWayIsSaidWithWhatToDo() {
        var facts = MachineFacts()
        #expect(facts.checks.map(\.state) == [.ok])
        facts.firewalls = ["nft"]
        #expect(facts.checks[0].text.contains("nft"))
        facts.isUFWEnabled = true
        facts.container = "/.dockerenv"
        #expect(facts.checks.map(\.name) == ["firewall", "container"])
        #expect(facts.checks.allSatisfy { $0.state == .warning && $0.advice != nil })
        facts.isWSL = true
        #expect(facts.checks[1].advice?.contains(".wslconfig") == true)
    }
}
