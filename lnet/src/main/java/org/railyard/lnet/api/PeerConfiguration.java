package org.railyard.lnet.api;

import java.util.List;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.nid.Nid;

/**
 * Peers by configuration (spec 11 §4.3, 12 §2.4). What is configured wins over what discovery finds: it adds no NID to
 * a configured peer, takes none from it, and does not change its primary NID.
 *
 * <p>Each call is done as a whole, under one lock: others see it either not at all or complete. Thread-safe; nothing
 * waits for the network.
 */
public interface PeerConfiguration {
    /**
     * Makes a peer of one NID. A peer with that NID that was not configured is forgotten for it; making a configured
     * one again changes nothing.
     *
     * @param primary its primary NID
     * @param multiRail whether it understands multi-rail
     * @param lock whether its primary NID may not be changed or deleted, except by force
     * @throws ErrnoException EINVAL for what no node has; EEXIST if the NID belongs to a configured peer under another
     *     primary NID, or an upper layer has locked it as the primary one; EALREADY if it belongs to a peer with
     *     another, locked primary NID; EPERM if the peer is configured with the other value of {@code multiRail}; EBUSY
     *     if it is the gateway of a route; ENOMEM if no more NIDs can be remembered
     */
    void create(Nid primary, boolean multiRail, boolean lock);

    /**
     * Gives a configured peer a NID. One that it has already changes nothing; one of a peer that is not configured
     * moves.
     *
     * @param primary its primary NID
     * @param nid the NID
     * @param multiRail what it is configured as
     * @throws ErrnoException EINVAL for what no node has; ENOENT if there is no such peer or it is not configured;
     *     ENODEV if {@code primary} is not its primary NID; EPERM if {@code multiRail} is not what it is configured as;
     *     EEXIST if the NID belongs to another peer that keeps it; ENOTUNIQ if the peer is not multi-rail and has a NID
     *     on that net; ENOSPC at the tunable {@link Tunable#MAX_INTERFACES}; ENOMEM if no more NIDs can be remembered
     */
    void addNid(Nid primary, Nid nid, boolean multiRail);

    /**
     * Makes a peer, or extends a configured one; the primary NID in the list has no effect. If one NID can not be added
     * nothing is changed, where kernels forget the whole peer (spec 11 §4.3).
     *
     * @throws ErrnoException as {@link #create} and {@link #addNid}; EINVAL if there are more NIDs than {@link
     *     Tunable#MAX_INTERFACES}
     */
    void add(Nid primary, List<Nid> nids, boolean multiRail, boolean lock);

    /**
     * Takes a NID from a peer; with its only NID, the peer is forgotten.
     *
     * @param force take the locked primary NID, too
     * @throws ErrnoException EINVAL for the wildcard; ENOENT if there is no such peer or NID; ENODEV if {@code primary}
     *     is not the primary NID of its peer; ECHILD if the NID belongs to another peer; EPERM if it is the locked
     *     primary NID; EBUSY if it is the primary NID and others remain, or the only NID of the gateway of a route
     */
    void deleteNid(Nid primary, Nid nid, boolean force);

    /**
     * Forgets a peer: who waits for it is told ECANCELED, messages that wait for it look for a new one. A peer with a
     * locked primary NID keeps that NID, loses the others, and is discovered again at the next use.
     *
     * @param force forget a peer with a locked primary NID as well
     * @throws ErrnoException EINVAL for the wildcard; ENOENT if there is no such peer; ENODEV if {@code primary} is not
     *     its primary NID; EBUSY if it is the gateway of a route
     */
    void delete(Nid primary, boolean force);

    /**
     * Takes NIDs from a peer; all of them or, if one can not be taken, none. With the primary NID in the list, or an
     * empty list, this is {@link #delete(Nid, boolean)}.
     *
     * @throws ErrnoException as {@link #deleteNid} and {@link #delete(Nid, boolean)}
     */
    void delete(Nid primary, List<Nid> nids, boolean force);

    /**
     * Sets the state bits of a peer, for tests of what follows from them (spec 11 §1.1). Bits that only say what is
     * under way stay as they are.
     *
     * @param nid any of its NIDs
     * @param state the bits
     * @throws ErrnoException ENOENT if there is no such peer; EINVAL if a bit says what is under way, or is none
     */
    void setState(Nid nid, int state);
}
