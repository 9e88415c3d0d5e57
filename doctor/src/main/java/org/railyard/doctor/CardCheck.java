package org.railyard.doctor;

import java.util.ArrayList;
import java.util.List;

/** Whether RDMA cards are there, have links and addresses, and the system lets them be used. */
final class CardCheck implements Check {
    private static final String DROP_IN = "/etc/systemd/system/lnetd.service.d";
    private static final int OWN_ADDRESS = 1;
    private static final int BEST_ADDRESS = 2;

    @Override
    public void look(Setup setup, HostFacts facts, Notes notes) {
        for (HostFacts.CardFault fault : facts.cards()) {
            switch (fault.trouble()) {
                case ABSENT ->
                    add(notes, "cards-absent", Severity.ERROR, fault, "no NI of o2ib can be started", absent(fault));
                case SILENT ->
                    add(
                            notes,
                            "card-silent",
                            Severity.ERROR,
                            fault,
                            "its NIs carry nothing",
                            "dmesg and 'rdma link' show what the kernel has; if it is there again, restart lnetd");
                case MEMORY -> memory(notes, fault);
                case SERVICE_PORT ->
                    add(
                            notes,
                            "service-port-denied",
                            Severity.ERROR,
                            fault,
                            "an NI of o2ib can not listen: peers can not connect to it",
                            "sysctl -w net.ipv4.ip_unprivileged_port_start=987",
                            "or start lnetd as root, or give it CAP_NET_BIND_SERVICE");
                case PATH_DAEMON ->
                    add(
                            notes,
                            "path-daemon",
                            Severity.WARNING,
                            fault,
                            "connections may have stale paths and the wrong SL: on a torus that is a way to deadlock",
                            "systemctl disable --now ibacm.service ibacm.socket");
                case PORT_DOWN ->
                    add(
                            notes,
                            "card-port-down",
                            Severity.WARNING,
                            fault,
                            "an NI there carries nothing; messages take other NIs, if there are any",
                            "look at the cable, the transceiver and the port of the switch");
                case PORT_WAITS ->
                    add(
                            notes,
                            "card-port-waits",
                            Severity.ERROR,
                            fault,
                            "the port has no LID and carries nothing",
                            "start a subnet manager in the fabric, or look at the one that runs");
                case NO_ADDRESS ->
                    add(
                            notes,
                            "card-port-no-address",
                            Severity.WARNING,
                            fault,
                            "no NI of o2ib can use the port: NIDs and connections need an IP address",
                            "modprobe ib_ipoib   # InfiniBand; with RoCE, the Ethernet interface needs it",
                            "ip addr add ADDRESS/24 dev ib0");
                case ONE_SUBNET -> oneSubnet(setup, facts, notes, fault);
            }
        }
    }

    private static void add(
            Notes notes, String id, Severity severity, HostFacts.CardFault fault, String means, String... mend) {
        String subject = fault.subject().isEmpty() ? "RDMA cards" : fault.subject();
        notes.add(id, severity, subject, fault.found(), means, mend);
    }

    /** The text tells which part is missing; a driver of the kernel can be loaded by a command. */
    private static String[] absent(HostFacts.CardFault fault) {
        List<String> mend = new ArrayList<>();
        if (fault.found().contains("modprobe")) {
            mend.add("modprobe -a ib_uverbs rdma_ucm ib_ipoib   # and the card's driver, such as mlx5_ib");
        }
        mend.add("railyard o2ib devices   # shows cards and ports when all is there");
        return mend.toArray(String[]::new);
    }

    private static void memory(Notes notes, HostFacts.CardFault fault) {
        add(
                notes,
                "registered-memory",
                Severity.WARNING,
                fault,
                "an NI of o2ib may not start, or have no room for connections: ENOMEM",
                "mkdir -p " + DROP_IN,
                "printf '[Service]\\nLimitMEMLOCK=infinity\\n' >" + DROP_IN + "/memory.conf",
                "systemctl daemon-reload",
                "systemctl restart lnetd.service");
    }

    /** Harmless if each interface answers for its own address only. Of NIs in one subnet others tell. */
    private static void oneSubnet(Setup setup, HostFacts facts, Notes notes, HostFacts.CardFault fault) {
        List<String> mend = new ArrayList<>();
        for (String device : fault.interfaces()) {
            if (setup.nis().stream().anyMatch(ni -> ni.device().equals(device))) {
                continue;
            }
            if (Sysctl.largest(facts, device, "arp_ignore") < OWN_ADDRESS) {
                mend.add(Sysctl.set(device, "arp_ignore", OWN_ADDRESS));
            }
            if (Sysctl.largest(facts, device, "arp_announce") < BEST_ADDRESS) {
                mend.add(Sysctl.set(device, "arp_announce", BEST_ADDRESS));
            }
        }
        if (!mend.isEmpty()) {
            add(
                    notes,
                    "cards-one-subnet",
                    Severity.WARNING,
                    fault,
                    "each answers for the addresses of the others: peers connect by the wrong port and are refused",
                    mend.toArray(String[]::new));
        }
    }
}
