package org.railyard.node.o2ib;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.host.Host;
import org.railyard.roce.RoceProvider;
import org.railyard.verbs.VerbsProvider;

/** Devices made of software, over UDP: {@code roce:eth0,eth1}. */
public final class RoceCards implements CardKind {
    /** Makes it. */
    public RoceCards() {}

    @Override
    public String name() {
        return "roce";
    }

    @Override
    public VerbsProvider open(Host host, List<String> interfaces) {
        if (interfaces.isEmpty()) {
            throw new ErrnoException(
                    Errno.EINVAL, "network interfaces or addresses are missing; name them, such as roce:eth0,eth1");
        }
        return RoceProvider.open(host, interfaces);
    }

    @Override
    public Map<String, Long> events(VerbsProvider provider) {
        Map<String, Long> events = new LinkedHashMap<>();
        if (provider instanceof RoceProvider roce) {
            roce.counters()
                    .all()
                    .forEach((counter, count) -> events.put(counter.name().toLowerCase(Locale.ROOT), count));
        }
        return events;
    }
}
