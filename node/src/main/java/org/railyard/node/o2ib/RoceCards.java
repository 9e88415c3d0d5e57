package org.railyard.node.o2ib;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.host.Host;
import org.railyard.base.tune.TunableKey;
import org.railyard.roce.RoceProvider;
import org.railyard.roce.api.RoceSettings;
import org.railyard.roce.api.RoceTunable;
import org.railyard.verbs.VerbsProvider;

/** Devices made of software, over UDP: {@code roce:eth0,eth1}; and their module parameters, {@code roce.…}. */
public final class RoceCards implements CardKind {
    static final String PREFIX = "roce.";

    private final RoceSettings settings;

    /**
     * Makes it.
     *
     * @param parameters module parameters by name; others are no matter of it
     * @throws ErrnoException EINVAL if there is no such tunable, or its value is out of range
     */
    public RoceCards(Map<String, String> parameters) {
        RoceSettings wanted = RoceSettings.DEFAULT;
        for (Map.Entry<String, String> each : parameters.entrySet()) {
            if (each.getKey().startsWith(PREFIX)) {
                RoceTunable tunable = TunableKey.named(
                        "roce", RoceTunable.values(), each.getKey().substring(PREFIX.length()));
                wanted = tunable.in(wanted, tunable.spec().read(each.getValue()));
            }
        }
        settings = wanted;
    }

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
        return RoceProvider.open(host, interfaces, settings);
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
