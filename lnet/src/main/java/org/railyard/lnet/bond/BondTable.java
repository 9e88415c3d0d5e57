package org.railyard.lnet.bond;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.api.Bond;
import org.railyard.lnet.api.Bonds;
import org.railyard.lnet.model.ActiveBond;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.nid.Nid;

/** The bonds of a node, and which NID is in which. Writes into NIs and peer NIs what selection has to know. */
public final class BondTable {
    private final List<ActiveBond> all = new ArrayList<>();
    private final List<ActiveBond> local = new ArrayList<>();
    private final Map<Nid, ActiveBond> owners = new LinkedHashMap<>();
    private final Map<Nid, ActiveBond> remoteOwners = new LinkedHashMap<>();

    /** Makes an empty table. */
    public BondTable() {}

    /** Tells whether there is no bond: nothing here needs to be asked then. */
    public boolean isEmpty() {
        return all.isEmpty();
    }

    /** Returns the local bonds, in order. */
    public List<ActiveBond> local() {
        return local;
    }

    /** Returns the local bond that names a NID, null if none does: it is in the default bond then. */
    public @Nullable ActiveBond localOf(Nid nid) {
        return owners.get(nid);
    }

    /** Returns all bonds, in order. */
    public List<Bond> all() {
        return all.stream().map(each -> each.bond).toList();
    }

    /**
     * Makes a bond. The caller applies it.
     *
     * @param index the bond in front of which it goes; one that is not there, or below 0, for the end
     * @throws ErrnoException EEXIST if there is one with that name, or a NID is in another of that kind; ENOSPC at
     *     {@link Bonds#MAX_BONDS}
     */
    public void add(Bond bond, int index) {
        if (find(bond.name()) != null) {
            throw new ErrnoException(Errno.EEXIST, "there is a bond '" + bond.name() + "' already");
        }
        if (all.size() >= Bonds.MAX_BONDS) {
            throw new ErrnoException(
                    Errno.ENOSPC, "there are " + all.size() + " bonds, which is the limit; delete some");
        }
        requireFree(bond);
        ActiveBond made = new ActiveBond(bond);
        all.add(index < 0 || index > all.size() ? all.size() : index, made);
        sortOutLocal();
        own(made);
    }

    /**
     * Gives a bond other NIDs or another policy. The caller applies it.
     *
     * @throws ErrnoException ENOENT if there is none with that name; EINVAL if that is of the other kind; EEXIST if a
     *     NID is in another one
     */
    public void change(Bond bond) {
        ActiveBond found = require(bond.name());
        if (found.bond.kind() != bond.kind()) {
            throw new ErrnoException(
                    Errno.EINVAL,
                    "bond " + found + " is " + found.bond.kind().text()
                            + " and stays so; delete it, or use another name");
        }
        requireFree(bond);
        disown(found);
        found.bond = bond;
        own(found);
    }

    /**
     * Deletes a bond. The caller applies it.
     *
     * @throws ErrnoException ENOENT if there is none with that name
     */
    public void delete(String name) {
        ActiveBond found = require(name);
        disown(found);
        all.remove(found);
        sortOutLocal();
    }

    private void sortOutLocal() {
        local.clear();
        all.stream().filter(each -> each.bond.kind() == Bond.Kind.LOCAL).forEach(local::add);
    }

    private @Nullable ActiveBond find(String name) {
        for (ActiveBond each : all) {
            if (each.bond.name().equals(name)) {
                return each;
            }
        }
        return null;
    }

    private ActiveBond require(String name) {
        ActiveBond found = find(name);
        if (found == null) {
            throw new ErrnoException(Errno.ENOENT, "there is no bond '" + name + "'; 'lnetctl bond show' lists them");
        }
        return found;
    }

    private Map<Nid, ActiveBond> ownersIn(Bond.Kind kind) {
        return kind == Bond.Kind.LOCAL ? owners : remoteOwners;
    }

    private void requireFree(Bond bond) {
        for (Nid nid : bond.nids()) {
            ActiveBond owner = ownersIn(bond.kind()).get(nid);
            if (owner != null && !owner.bond.name().equals(bond.name())) {
                throw new ErrnoException(
                        Errno.EEXIST, nid + " is in bond " + owner + " already; a NID is in one bond at a time");
            }
        }
    }

    private void own(ActiveBond bond) {
        bond.bond.nids().forEach(nid -> ownersIn(bond.bond.kind()).put(nid, bond));
    }

    private void disown(ActiveBond bond) {
        bond.bond.nids().forEach(ownersIn(bond.bond.kind())::remove);
    }

    /** Writes into an NI which bond it is in. */
    public void apply(LocalNi ni) {
        ni.bond = owners.get(ni.nid());
        ni.bondPlace = placeIn(ni.bond, ni.nid());
    }

    /** Writes into a NID of a peer which bond it is in. */
    public void apply(PeerNi ni) {
        ni.bond = remoteOwners.get(ni.nid());
        ni.bondPlace = placeIn(ni.bond, ni.nid());
    }

    private static int placeIn(@Nullable ActiveBond bond, Nid nid) {
        return bond == null ? 0 : bond.bond.nids().indexOf(nid);
    }
}
