package org.railyard.lnet.api;

import java.util.List;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;

/**
 * The bonds of a node (spec 21 §10.1). They restrict the choice of paths: what is sent from a NID of a local bond
 * leaves from that bond, and what is sent to a NID of a remote bond arrives at that bond. And they restrict what peers
 * see: whoever asks on a NID of a local bond learns the NIDs of that bond only. NIs that are in no bond make up the
 * default bond. Changes count at once, and peers that have to know are told. Thread-safe.
 */
public interface Bonds {
    /** Most bonds of a node, local and remote. */
    int MAX_BONDS = 64;

    /**
     * Makes a bond.
     *
     * @param index the bond in front of which it goes; one that is not there, or below 0, for the end
     * @throws ErrnoException EEXIST if there is one with that name, or one of the NIDs is in another bond of that kind;
     *     ENOSPC at {@link #MAX_BONDS}; EBUSY from within an event handler; ESHUTDOWN when the node is closed; then
     *     nothing changes
     */
    void add(Bond bond, int index);

    /**
     * Gives a bond other NIDs or another policy.
     *
     * @param bond as it shall be; its name says which
     * @throws ErrnoException ENOENT if there is none with that name; EINVAL if that one is of the other kind; EEXIST if
     *     one of the NIDs is in another bond of that kind; EBUSY from within an event handler; ESHUTDOWN when the node
     *     is closed; then nothing changes
     */
    void change(Bond bond);

    /**
     * Deletes a bond; its NIs belong to the default bond from then on.
     *
     * @throws ErrnoException ENOENT if there is none with that name; EBUSY from within an event handler; ESHUTDOWN when
     *     the node is closed
     */
    void delete(String name);

    /** Returns the bonds, in order: of local bonds that are equally good the first is used. */
    List<Bond> list();

    /**
     * Returns a bond.
     *
     * @throws ErrnoException ENOENT if there is none with that name
     */
    default Bond find(String name) {
        return list().stream()
                .filter(bond -> bond.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new ErrnoException(
                        Errno.ENOENT, "there is no bond '" + name + "'; 'lnetctl bond show' lists them"));
    }
}
