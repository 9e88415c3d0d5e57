package org.railyard.lnet.peer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Invariant;
import org.railyard.lnet.bond.BondTable;
import org.railyard.lnet.model.ActiveBond;
import org.railyard.lnet.model.LocalNet;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.udsp.Policy;

/** The local nets and NIs, without loopback, in the order of configuration. */
public final class NiTable {
    private final List<LocalNet> nets = new ArrayList<>();
    private final Map<Nid, LocalNi> byNid = new LinkedHashMap<>();

    private final Policy policy;
    private final BondTable bonds = new BondTable();

    /** Makes an empty table that applies a policy to what is added. */
    public NiTable(Policy policy) {
        this.policy = policy;
    }

    /**
     * Adds an NI, and its net if it is the first there.
     *
     * @param place its index in {@link #all()}, 0 or more; the nearest one that keeps the NIs of a net together counts
     */
    public void add(LocalNi ni, int place) {
        LocalNet net = ni.localNet();
        if (!nets.contains(net)) {
            nets.add(placeOfNet(place), net);
            policy.apply(net);
        }
        net.nis.add(Math.clamp((long) place - before(net), 0, net.nis.size()), ni);
        byNid.put(ni.nid(), ni);
        policy.apply(ni);
        bonds.apply(ni);
    }

    /** Returns the index of the first net that begins at a place or behind it. */
    private int placeOfNet(int place) {
        int index = 0;
        for (int nis = 0; index < nets.size() && nis < place; index++) {
            nis += nets.get(index).nis.size();
        }
        return index;
    }

    /** Returns how many NIs the nets before one have. */
    private int before(LocalNet net) {
        return nets.subList(0, nets.indexOf(net)).stream()
                .mapToInt(each -> each.nis.size())
                .sum();
    }

    /** Removes an NI, and its net with the last one. */
    public void remove(LocalNi ni) {
        byNid.remove(ni.nid());
        policy.forget(ni);
        ni.localNet().nis.remove(ni);
        if (ni.localNet().nis.isEmpty()) {
            nets.remove(ni.localNet());
        }
    }

    /** Returns the NI with a NID, or null. */
    public @Nullable LocalNi find(Nid nid) {
        return byNid.get(nid);
    }

    /** Returns the local net with an id, or null. */
    public @Nullable LocalNet net(Net net) {
        for (int i = 0; i < nets.size(); i++) {
            if (nets.get(i).net().id() == net.id()) {
                return nets.get(i);
            }
        }
        return null;
    }

    /** Returns the local net that a NID is on, or null. */
    public @Nullable LocalNet netOf(Nid nid) {
        for (int i = 0; i < nets.size(); i++) {
            if (nid.isOn(nets.get(i).net())) {
                return nets.get(i);
            }
        }
        return null;
    }

    /** Returns the bond of a NID of this node, also of an NI that is gone; null for the default one. */
    public @Nullable ActiveBond bondOf(Nid nid) {
        LocalNi ni = find(nid);
        return ni == null ? bonds.localOf(nid) : ni.bond;
    }

    /** Returns the bonds. */
    public BondTable bonds() {
        return bonds;
    }

    /** Returns the nets. */
    public List<LocalNet> nets() {
        return nets;
    }

    /** Returns all NIs, net by net. */
    public List<LocalNi> all() {
        List<LocalNi> all = new ArrayList<>();
        for (LocalNet net : nets) {
            all.addAll(net.nis);
        }
        return all;
    }

    /**
     * Checks that NIs and nets name each other, and each NI.
     *
     * @throws AssertionError if it is otherwise
     */
    public void checkInvariants() {
        int count = 0;
        for (LocalNet net : nets) {
            Invariant.check(!net.nis.isEmpty(), net.net(), "a net with NIs");
            for (LocalNi ni : net.nis) {
                Invariant.check(
                        ni.localNet() == net && byNid.get(ni.nid()) == ni, ni, "to be found by its NID and its net");
                ni.checkInvariants();
                count++;
            }
        }
        Invariant.check(count == byNid.size(), "the NIs", "as many by NID as by net", byNid.size(), count);
    }
}
