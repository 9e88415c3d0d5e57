package org.railyard.control.node;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.config.ni.Device;
import org.railyard.doctor.HostFacts;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.LNetConfig;

/** What a node in a service needs from where it runs. Thread-safe. */
public interface NodeEnvironment {
    /** Returns what LNet is to be started with: transports, host, settings; without NIs. A new one at each call. */
    LNetConfig.Builder lnet();

    /** Returns the network devices as they are now. */
    List<Device> devices();

    /** Returns the labels of addresses, such as {@code eth0:0}, which can stand for an interface as devices can. */
    default List<String> labels() {
        return List.of();
    }

    /** Returns what can be learned of the machine, for those who look for mistakes. */
    HostFacts facts();

    /** Returns the module parameters by name, such as {@code networks} (spec 12 §7.5). */
    Map<String, String> parameters();

    /** Returns what there is of channel bonding; null without an InfiniBand transport. */
    default @Nullable O2ibs o2ibs() {
        return null;
    }

    /**
     * LNet runs. What is thrown keeps it from running.
     *
     * @param lnet until {@link #stopping}
     */
    default void started(LNet lnet) {}

    /** LNet is about to be stopped. */
    default void stopping() {}

    /**
     * Looks up a host.
     *
     * @return its address; null if nobody knows it
     */
    byte @Nullable [] addressOf(String hostName);

    /**
     * Tells whether this machine has lately asked its links who has an address (ARP), and nobody answered.
     *
     * @param address an IP address; of IPv6 addresses this is never known
     */
    default boolean isUnanswered(byte[] address) {
        return false;
    }

    /**
     * Calls after a time, on a thread of its own.
     *
     * @return what keeps it from being called
     */
    Runnable callAfter(int seconds, Runnable task);
}
