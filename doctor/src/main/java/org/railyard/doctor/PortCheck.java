package org.railyard.doctor;

import java.net.InetAddress;
import java.util.List;
import org.railyard.lnet.nid.NetType;

/** A node that is going to be started has to listen, and to dial from ports that others trust. */
final class PortCheck implements Check {
    private static final int LOWEST_SOURCE = 512;
    private static final int HIGHEST_SOURCE = 1023;
    private static final String UNPRIVILEGED = "sysctl -w net.ipv4.ip_unprivileged_port_start=" + LOWEST_SOURCE;

    @Override
    public void look(Setup setup, HostFacts facts, Notes notes) {
        Setup.Start start = setup.start();
        List<HostFacts.Link> links = facts.links();
        List<InetAddress> addresses = setup.nis().stream()
                .filter(ni -> ni.net().type().filter(NetType.TCP::equals).isPresent())
                .flatMap(ni -> ni.address().stream())
                .filter(ip -> links.stream().anyMatch(link -> link.has(ip)))
                .distinct()
                .toList();
        if (start == null || addresses.isEmpty()) {
            return;
        }
        if (start.port() == 0) {
            notes.notChecked("the port to listen at: lnetd runs here and has it");
            return;
        }
        for (InetAddress address : addresses) {
            if (listen(address, start.port(), facts, notes)) {
                break;
            }
        }
        if (!start.anySourcePort()
                && facts.port(addresses.getFirst(), HIGHEST_SOURCE) == HostFacts.Port.DENIED
                && facts.port(addresses.getFirst(), LOWEST_SOURCE) == HostFacts.Port.DENIED) {
            notes.add(
                    "source-port-denied",
                    Severity.ERROR,
                    "ports " + LOWEST_SOURCE + "-" + HIGHEST_SOURCE,
                    "this user must not use them",
                    "lnetd can not dial peers from a port below 1024, which kernel nodes demand unless they have"
                            + " accept=all",
                    UNPRIVILEGED,
                    "or start it as root, or with --any-source-port where all peers have accept=all");
        }
    }

    /** Returns whether something was found, which is the same at the next address. */
    private static boolean listen(InetAddress address, int port, HostFacts facts, Notes notes) {
        HostFacts.Port state = facts.port(address, port);
        String subject = "port " + port;
        String means = "lnetd can not listen: peers can not connect to this node";
        if (state == HostFacts.Port.IN_USE) {
            String holder = facts.holder(port);
            notes.add(
                    "port-in-use",
                    Severity.ERROR,
                    subject,
                    "another program listens there"
                            + (holder.isEmpty() ? ", whose name this user must not know" : ": " + holder),
                    means,
                    "ss -ltnp 'sport = :" + port + "'   # shows who it is; stop it",
                    "or agree on another port with all peers: lnetd --param accept_port=9988");
        } else if (state == HostFacts.Port.DENIED) {
            notes.add(
                    "port-denied",
                    Severity.ERROR,
                    subject,
                    "this user must not listen there",
                    means,
                    UNPRIVILEGED,
                    "or start it as root, or agree on another port with all peers: lnetd --param accept_port=9988");
        }
        return state != HostFacts.Port.FREE;
    }
}
