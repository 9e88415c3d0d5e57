package org.railyard.ibverbs;

import java.util.ArrayList;
import java.util.List;
import org.railyard.base.Errno;
import org.railyard.ibverbs.ffi.NativeVerbs;
import org.railyard.ibverbs.ffi.VerbsLayout;
import org.railyard.ibverbs.ffi.VerbsMemory;

/** Finds the devices of IP addresses by taking each address once: right for IPoIB, RoCE, VLANs and bonds alike. */
final class InterfaceProbe {
    private static final System.Logger LOG = System.getLogger(InterfaceProbe.class.getName());

    /** An IPv4 address of an interface of this machine. */
    record Address(String name, int ip) {}

    /** An address with the context and the port of its device. */
    record Found(String name, int ip, long context, int port) {}

    private InterfaceProbe() {}

    static List<Found> find(NativeVerbs verbs, List<Address> addresses) {
        long channel = verbs.createEventChannel();
        if (channel == 0) {
            throw NativeVerbs.failed("no channel for connections", NativeVerbs.errno());
        }
        try {
            List<Found> found = new ArrayList<>();
            for (Address each : addresses) {
                probe(verbs, channel, each, found);
            }
            return found;
        } finally {
            verbs.destroyEventChannel(channel);
        }
    }

    private static void probe(NativeVerbs verbs, long channel, Address address, List<Found> into) {
        long id = verbs.createId(channel);
        if (id == 0) {
            throw NativeVerbs.failed("no end of a connection can be made", NativeVerbs.errno());
        }
        int errno = verbs.bind(id, address.ip(), 0);
        long context = errno == 0 ? VerbsMemory.getLong(id + VerbsLayout.CM_ID_VERBS) : 0;
        if (context != 0) {
            into.add(
                    new Found(address.name(), address.ip(), context, VerbsMemory.getByte(id + VerbsLayout.CM_ID_PORT)));
        } else if (errno != 0 && errno != Errno.ENODEV.number() && errno != Errno.EADDRNOTAVAIL.number()) {
            LOG.log(System.Logger.Level.WARNING, "{0}: errno {1} in looking for its device", address.name(), errno);
        }
        verbs.destroyId(id);
    }
}
