package org.railyard.sm.discover;

import java.util.List;
import org.railyard.fabric.model.Fabric;
import org.railyard.mad.smp.PortState;
import org.railyard.sm.subnet.ManagedNode;

/**
 * What a discovery found.
 *
 * @param fabric nodes and cables whose both ends are up, without LIDs
 * @param nodes the nodes, by their index in the fabric
 * @param smPort port index of the own end port
 * @param problems what was wrong
 * @param read of how many switches the ports were read
 */
public record FoundSubnet(
        Fabric fabric, List<ManagedNode> nodes, int smPort, List<DiscoveryProblem> problems, int read) {
    /** Copies the lists. */
    public FoundSubnet {
        nodes = List.copyOf(nodes);
        problems = List.copyOf(problems);
    }

    /** Returns the same after what is noted of nodes has changed. */
    public FoundSubnet again() {
        return new FoundSubnet(FabricMaker.make(nodes), nodes, smPort, problems, read);
    }

    /**
     * Tells whether the link of the own port is up and carries no packets yet: in a subnet that is managed already, it
     * was down.
     */
    public boolean wasCutOff() {
        if (smPort == Fabric.NONE || fabric.portNumber(smPort) == 0) {
            return false;
        }
        PortState now = ownState();
        return now != PortState.ACTIVE && now != PortState.DOWN;
    }

    /** Returns the state of the own port's link; to be called if there is an own port. */
    public PortState ownState() {
        return nodes.get(fabric.nodeOf(smPort)).state(fabric.portNumber(smPort));
    }

    /** Returns what was not answered; nothing if the subnet is known as a whole. */
    public List<String> unanswered() {
        return problems.stream()
                .filter(problem -> problem.kind() == DiscoveryProblem.Kind.UNANSWERED)
                .map(DiscoveryProblem::subject)
                .toList();
    }
}
