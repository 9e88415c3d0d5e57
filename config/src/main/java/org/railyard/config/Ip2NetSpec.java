package org.railyard.config;

import java.util.List;
import org.railyard.base.yaml.Place;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.NidRange;

/**
 * A rule that says which NIs there are by the addresses of the machine (spec 12 §5.2).
 *
 * @param like an NI of the net as it would be asked for, with its tunables and CPU partitions, without an interface
 * @param interfaces names of interfaces, none for any
 * @param ranges patterns of addresses, on a net of their own; none for any
 * @param place where it is in the file
 */
public record Ip2NetSpec(NiRequest like, List<String> interfaces, List<NidRange> ranges, Place place) {
    /** Copies the lists. */
    public Ip2NetSpec {
        interfaces = List.copyOf(interfaces);
        ranges = List.copyOf(ranges);
    }
}
