package org.railyard.cli.lnetctl;

import java.util.List;
import java.util.Map;
import org.railyard.o2iblnd.wire.Kib;

/** {@code service-id}, {@code setup-mrrouting} and {@code setup-sysctl} (spec 12 §2.6). Need no service. */
final class SystemCommands {
    private SystemCommands() {}

    static LnetctlGroup serviceId() {
        return LnetctlGroup.of(new Command(
                "service-id",
                "",
                "",
                "show the number under which the node is found by RDMA connection managers",
                List.of(),
                (line, session) -> {
                    // Nodes on one fabric have to agree on the port, so it is everybody's.
                    long id = Kib.serviceId(Kib.SERVICE_PORT);
                    String value = String.format("0x%016x", id);
                    if (session.isJson()) {
                        session.print(Map.of("service_id", Map.of("value", value)));
                    } else {
                        session.out().print("service_id:\n    value: " + value + "\n");
                    }
                    return Exit.OK;
                }));
    }

    /** Real nodes change settings of the system. */
    static LnetctlGroup withoutEffect(String name) {
        return LnetctlGroup.of(new Command(
                name,
                "",
                "",
                "taken, without effect: settings of the system are left alone",
                List.of(),
                (line, session) -> Exit.OK));
    }
}
