package org.railyard.control.node;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;

/** What the InfiniBand transport of a node in a service has to say of channel bonding. Thread-safe. */
public interface O2ibs {
    /** Returns the addresses of each target, in the order in which they came. */
    Map<Nid, List<String>> targets();

    /**
     * Adds a target, or replaces the one with the same NID.
     *
     * @throws org.railyard.base.ErrnoException EINVAL if it can not be one, ENOSPC if there are too many
     */
    void put(Nid nid, List<String> ips);

    /** Removes a target; no effect if there is none. */
    void remove(Nid nid);

    /** Tells whether a target is as the target file has it, so that it need not be kept elsewhere. */
    boolean isFromFile(Nid nid);

    /**
     * Gives a group other interfaces while it runs.
     *
     * @param nid of the group
     * @param interfaces their names, in order; the first one has to stay
     * @throws org.railyard.base.ErrnoException ENODEV if there is no such group, EINVAL if it can not have these
     *     interfaces
     */
    void setInterfaces(Nid nid, List<String> interfaces);

    /** Returns the routes as documents, one for each peer; of all nets without one. */
    List<Object> routes(@Nullable Net net);

    /**
     * Returns the addresses that peers have told of themselves, as documents.
     *
     * @param net only those that NIs on this net were told; null for all
     * @param nid only of this peer; null for all
     */
    List<Object> learned(@Nullable Net net, @Nullable Nid nid);

    /** Returns the NIs with their interfaces as documents; of all nets without one. */
    List<Object> status(@Nullable Net net);

    /** Returns what each NI has for the calculator of tunables, as documents; of all nets without one. */
    List<Object> tunables(@Nullable Net net);

    /**
     * Checks groups and targets.
     *
     * @param net only this one; absent for all
     * @param probe also by connecting each route, which takes as long as connections may
     * @param multiRail NIDs of peers that are known to have several
     * @return findings as documents with {@code id}, {@code severity}, {@code subject} and {@code text}
     */
    List<Object> check(@Nullable Net net, boolean probe, Set<Nid> multiRail);
}
