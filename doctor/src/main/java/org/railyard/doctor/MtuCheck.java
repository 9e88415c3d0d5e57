package org.railyard.doctor;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.railyard.doctor.HostFacts.Link;
import org.railyard.lnet.nid.Net;

/** Rails of one net have packets of one size. */
final class MtuCheck implements Check {
    @Override
    public void look(Setup setup, HostFacts facts, Notes notes) {
        Links links = new Links(facts);
        Map<Net, Map<String, Integer>> sizes = new LinkedHashMap<>();
        for (Setup.Ni ni : setup.nis()) {
            links.named(ni.device())
                    .filter(link -> !link.loopback())
                    .ifPresent(link -> add(sizes.computeIfAbsent(ni.net(), net -> new LinkedHashMap<>()), link));
        }
        sizes.forEach((net, devices) -> compare(net, devices, notes));
    }

    private static void add(Map<String, Integer> devices, Link link) {
        devices.put(link.name(), link.mtu());
    }

    private static void compare(Net net, Map<String, Integer> devices, Notes notes) {
        int smallest = devices.values().stream().min(Integer::compare).orElse(0);
        List<String> mend = devices.entrySet().stream()
                .filter(device -> device.getValue() > smallest)
                .map(device -> "ip link set dev " + device.getKey() + " mtu " + smallest)
                .toList();
        if (mend.isEmpty()) {
            return;
        }
        notes.add(new Finding(
                "mtu",
                Severity.WARNING,
                "net " + net,
                "different MTUs: "
                        + devices.entrySet().stream()
                                .map(device -> device.getKey() + " " + device.getValue())
                                .collect(Collectors.joining(", ")),
                "peers that see both ends differently lose large messages while pings work; or one rail is slower than"
                        + " it could be. Where switches and peers can, raise the small one instead",
                mend));
    }
}
