package org.railyard.fabric.proof;

import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.PortMask;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;

/**
 * Checks a certificate by walking every path and every multicast packet on its own, hop by hop. Knows nothing of how the certificate was made and
 * shares no code with the check: slow (end ports² · hops) and simple on purpose.
 */
public final class CertificateVerifier {
    private final Fabric fabric;
    private final Routing routing;
    private final Certificate certificate;

    /** Makes a verifier of a certificate for these tables. */
    public CertificateVerifier(Fabric fabric, Routing routing, Certificate certificate) {
        this.fabric = fabric;
        this.routing = routing;
        this.certificate = certificate;
    }

    /**
     * Walks.
     *
     * @param switchPorts whether port 0 of switches counts as end port
     * @return the first wait that the certificate does not allow, in words, or nothing if the certificate holds
     */
    public Optional<String> firstViolation(boolean switchPorts) {
        for (int source = 1; source <= fabric.maxLid(); source++) {
            int from = endPort(source, switchPorts);
            for (int destination = 1; from != Fabric.NONE && destination <= fabric.maxLid(); destination++) {
                if (source == destination || endPort(destination, switchPorts) == Fabric.NONE) {
                    continue;
                }
                for (int hint = 0; hint < 8 * routing.sls().levels(); hint += 8) {
                    Optional<String> bad = walk(from, destination, routing.sls().sl(source, destination, hint));
                    if (bad.isPresent()) {
                        return bad;
                    }
                }
            }
            for (int mlid : routing.multicast().mlids()) {
                Optional<String> bad = from == Fabric.NONE ? Optional.empty() : multicast(from, mlid);
                if (bad.isPresent()) {
                    return bad;
                }
            }
        }
        return Optional.empty();
    }

    private int endPort(int lid, boolean switchPorts) {
        int port = fabric.portOfLid(lid);
        boolean counts = port != Fabric.NONE
                && fabric.switchOf(port) != Fabric.NONE
                && (switchPorts || !fabric.isSwitch(fabric.nodeOf(port)));
        return counts ? port : Fabric.NONE;
    }

    private Optional<String> walk(int from, int destination, int sl) {
        if (sl == PathSls.NO_SL) {
            return Optional.of("no SL from %s to LID %d".formatted(fabric.portName(from), destination));
        }
        int sw = fabric.switchOf(from);
        int input = fabric.switchPortOf(from);
        int before = Certificate.NONE;
        for (int hops = 0; hops <= fabric.switchCount(); hops++) {
            int output = routing.forwarding().port(sw, destination);
            if (output > fabric.ports(sw)) {
                return Optional.of("no route at %s to LID %d".formatted(fabric.description(sw), destination));
            }
            int port = fabric.portIndex(sw, output);
            int peer = output == 0 ? port : fabric.peer(port);
            if (peer == fabric.portOfLid(destination)) {
                return Optional.empty();
            }
            if (peer == Fabric.NONE || output == 0 || !fabric.isSwitch(fabric.nodeOf(peer))) {
                return Optional.of("wrong end at %s to LID %d".formatted(fabric.description(sw), destination));
            }
            int vl = SlToVl.vl(routing.slToVl().table(sw, input, output), sl);
            if (vl == SlToVl.DROP) {
                return Optional.of("SL %d is dropped at %s".formatted(sl, fabric.portName(port)));
            }
            int number = certificate.number(port, vl);
            if (number != Certificate.NONE || before != Certificate.NONE) {
                if (number <= before) {
                    return Optional.of("%s to LID %d, SL %d: number %d is followed by %d at %s"
                            .formatted(fabric.portName(from), destination, sl, before, number, fabric.portName(port)));
                }
            }
            // A channel without number is one that nothing waits for and that waits for nothing but the end port.
            before = number == Certificate.NONE ? Integer.MAX_VALUE : number;
            sw = fabric.nodeOf(peer);
            input = fabric.portNumber(peer);
        }
        return Optional.of("%s to LID %d goes round".formatted(fabric.portName(from), destination));
    }

    private Optional<String> multicast(int from, int mlid) {
        MulticastTables.Tree tree = routing.multicast().tree(mlid);
        return tree == null
                ? Optional.empty()
                : copies(tree, fabric.switchOf(from), fabric.switchPortOf(from), Certificate.NONE, new TreeSet<>());
    }

    /** Follows all copies of a packet; each goes on recursively, at most once over each cable. */
    private Optional<String> copies(MulticastTables.Tree tree, int sw, int input, int before, Set<Integer> taken) {
        PortMask mask = tree.ports(sw);
        for (int output = 1; output <= fabric.ports(sw); output++) {
            int port = fabric.portIndex(sw, output);
            int peer = fabric.peer(port);
            boolean goesOn = mask.contains(output)
                    && output != input
                    && peer != Fabric.NONE
                    && fabric.isSwitch(fabric.nodeOf(peer));
            if (!goesOn) {
                continue;
            }
            if (!taken.add(port)) {
                return Optional.of("a multicast packet comes twice to " + fabric.portName(port));
            }
            int number = certificate.number(port, SlToVl.vl(routing.slToVl().table(sw, input, output), tree.sl()));
            if (before != Certificate.NONE && number <= before) {
                return Optional.of("multicast: number %d is followed by %d at %s"
                        .formatted(before, number, fabric.portName(port)));
            }
            Optional<String> bad = copies(
                    tree,
                    fabric.nodeOf(peer),
                    fabric.portNumber(peer),
                    number == Certificate.NONE ? Integer.MAX_VALUE : number,
                    taken);
            if (bad.isPresent()) {
                return bad;
            }
        }
        return Optional.empty();
    }
}
