package org.railyard.doctor;

/** Whether the process may open as many files as its connections can need. */
final class DescriptorCheck implements Check {
    /** From this share on, of 100, it is a matter of time. */
    private static final int NEARLY = 90;

    private static final String DROP_IN = "/etc/systemd/system/lnetd.service.d";

    @Override
    public void look(Setup setup, HostFacts facts, Notes notes) {
        HostFacts.Descriptors now = facts.descriptors();
        if (now.limit() <= 0) {
            return;
        }
        if (now.open() * 100 >= now.limit() * NEARLY) {
            notes.add(
                    "descriptors-short",
                    Severity.ERROR,
                    "ulimit -n",
                    now.open() + " of " + now.limit() + " file descriptors are open",
                    "soon connections are refused, to peers and from them; NIs keep their health",
                    mend(now));
        } else if (now.limit() < now.needed()) {
            notes.add(
                    "descriptor-limit",
                    Severity.WARNING,
                    "ulimit -n",
                    "lnetd may open " + now.limit() + " files; max_connections may need " + now.needed(),
                    "beyond the limit connections are refused, to peers and from them",
                    mend(now));
        }
    }

    /** A drop-in of systemd: the limit of files is no property that can be set for a running unit. */
    private static String[] mend(HostFacts.Descriptors now) {
        return new String[] {
            "mkdir -p " + DROP_IN,
            "printf '[Service]\\nLimitNOFILE=" + now.needed() + "\\n' >" + DROP_IN + "/files.conf",
            "systemctl daemon-reload",
            "systemctl restart lnetd.service"
        };
    }
}
