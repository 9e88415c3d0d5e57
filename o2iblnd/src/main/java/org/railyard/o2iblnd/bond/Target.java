package org.railyard.o2iblnd.bond;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Collectors;
import org.railyard.lnet.nid.NetType;
import org.railyard.lnet.nid.Nid;

/**
 * At which addresses a NID is to be reached (spec 21 §3). The address within the NID counts only if it is listed.
 *
 * @param nid on a net of type o2ib
 * @param ips IPv4 addresses in the order in which they are used, 1…16, each once
 */
public record Target(Nid nid, List<Integer> ips) {
    /** Most addresses of a target, and most interfaces of a group. */
    public static final int MAX_ADDRESSES = 16;

    /** Copies the list; refuses with an {@link IllegalArgumentException} what can not be a target. */
    public Target {
        if (nid.isAny() || !nid.isNid4() || nid.typeNumber() != NetType.O2IB.number()) {
            throw new IllegalArgumentException(
                    "'" + nid + "' is no NID for a target, expected one such as 10.1.1.2@o2ib");
        }
        if (ips.isEmpty() || ips.size() > MAX_ADDRESSES) {
            throw new IllegalArgumentException(
                    ips.size() + " addresses for " + nid + ", expected 1 to " + MAX_ADDRESSES);
        }
        ips = List.copyOf(ips);
        for (int ip : ips) {
            if (!Ipv4.isOfHost(ip)) {
                throw new IllegalArgumentException("no host can have the address " + Ipv4.text(ip) + " for " + nid);
            }
        }
        if (new LinkedHashSet<>(ips).size() != ips.size()) {
            throw new IllegalArgumentException("an address twice for " + nid);
        }
    }

    /** Returns the addresses in text. */
    public List<String> ipTexts() {
        return ips.stream().map(Ipv4::text).toList();
    }

    /** Returns it as a line of the target file. */
    @Override
    public String toString() {
        return nid + " " + ipTexts().stream().collect(Collectors.joining(" "));
    }
}
