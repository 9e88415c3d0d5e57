package org.railyard.doctor;

import java.util.OptionalInt;

/** The kernel's table of connections, which a packet filter keeps: when it is full, packets of new ones are dropped. */
final class ConnectionTableCheck implements Check {
    private static final String MAX = "net/netfilter/nf_conntrack_max";
    private static final long PERCENT = 100;
    private static final long NEARLY = 90;

    @Override
    public void look(Setup setup, HostFacts facts, Notes notes) {
        OptionalInt count = facts.setting("net/netfilter/nf_conntrack_count");
        OptionalInt max = facts.setting(MAX);
        // Without a packet filter that looks at connections there is no such table; 0 is no limit.
        if (count.isEmpty() || max.isEmpty() || max.getAsInt() == 0) {
            return;
        }
        long filled = count.getAsInt() * PERCENT / max.getAsInt();
        if (filled < NEARLY) {
            return;
        }
        boolean full = filled >= PERCENT;
        notes.add(
                "conntrack-full",
                full ? Severity.ERROR : Severity.WARNING,
                "nf_conntrack",
                "the kernel's table of connections has " + count.getAsInt() + " of " + max.getAsInt() + " entries",
                full
                        ? "packets of new connections are dropped: peers that were well can not be reached any more"
                        : "when it is full, packets of new connections are dropped",
                "sysctl -w net.netfilter.nf_conntrack_max=" + Math.min(Integer.MAX_VALUE, 2L * max.getAsInt()));
    }
}
