package org.railyard.lnet.select;

import org.jspecify.annotations.Nullable;
import org.railyard.lnet.api.BondPolicy;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.model.ActiveBond;
import org.railyard.lnet.model.LocalNet;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.PeerNet;
import org.railyard.lnet.model.PeerNi;

/**
 * What bonds leave of the NIs and peer NIs for one decision (spec 21 §10.1, cb-202), and how their policies rank that.
 * Without bonds it leaves everything and ranks nothing. Allocates nothing.
 */
final class Scope {
    private boolean on;
    private boolean bound;
    private @Nullable ActiveBond local;
    private @Nullable ActiveBond remote;
    private @Nullable Message used;
    private BondPolicy general = BondPolicy.BALANCED;

    /**
     * Begins a decision that is not restricted yet.
     *
     * @param anyBonds whether there are bonds at all
     */
    void begin(boolean anyBonds, Settings settings) {
        on = anyBonds;
        bound = false;
        local = null;
        remote = null;
        used = null;
        if (anyBonds) {
            general = BondPolicy.DEFAULT.in(settings);
        }
    }

    /** Tells whether there are bonds. */
    boolean isOn() {
        return on;
    }

    /** From now on only the NIs of one bond count; null for the default one. */
    void bind(@Nullable ActiveBond only) {
        bound = true;
        local = only;
    }

    /** Tells whether there are bonds, and the NIs of all of them count. */
    boolean isOpen() {
        return on && !bound;
    }

    /** From now on the NIs of all bonds count. */
    void unbind() {
        bound = false;
        local = null;
    }

    /** From now on only the NIDs of one remote bond count; null for any. */
    void leadTo(@Nullable ActiveBond only) {
        remote = only;
    }

    /** Sets whose used NIs are left out from now on, null for nobody's. */
    void leaveOut(@Nullable Message usedNisOf) {
        used = usedNisOf;
    }

    boolean admits(LocalNi ni) {
        return !bound || ni.bond == local;
    }

    boolean admits(PeerNi ni) {
        return remote == null || ni.bond == remote;
    }

    /** Says why an NI is not admitted. */
    String refusalOf(LocalNi ni) {
        return "NI is in " + named(ni.bond) + ", the message in " + named(local);
    }

    /** Says why a NID of a peer is not admitted. */
    String refusalOf(PeerNi ni) {
        return "NID is in " + (ni.bond == null ? "no bond" : "bond " + ni.bond) + ", the destination in bond " + remote;
    }

    static String named(@Nullable ActiveBond bond) {
        return bond == null ? "the default bond" : "bond " + bond;
    }

    /** Returns the best health of the NIs of a net that count and can carry traffic; −1 if none can. */
    int health(LocalNet net) {
        if (!bound) {
            return net.health();
        }
        int best = -1;
        for (int i = 0; i < net.nis.size(); i++) {
            LocalNi ni = net.nis.get(i);
            if (ni.isUsable() && admits(ni)) {
                best = Math.max(best, ni.health);
            }
        }
        return best;
    }

    /** Returns the best health of the NIDs on a net of a peer that count. */
    int health(PeerNet net) {
        if (remote == null) {
            return net.health();
        }
        int best = -1;
        for (int i = 0; i < net.nis.size(); i++) {
            PeerNi ni = net.nis.get(i);
            if (admits(ni)) {
                best = Math.max(best, ni.health);
            }
        }
        return best;
    }

    private BondPolicy policyOf(@Nullable ActiveBond bond) {
        BondPolicy own = bond == null ? BondPolicy.DEFAULT : bond.policy();
        return own == BondPolicy.DEFAULT ? general : own;
    }

    /** Returns the policy that chooses between two NIs: that of their bond. */
    BondPolicy policyFor(LocalNi one, LocalNi other) {
        return !on || one.bond != other.bond ? BondPolicy.BALANCED : policyOf(one.bond);
    }

    /** Returns the policy that chooses between two NIDs of a peer: that of their bond. */
    BondPolicy policyFor(PeerNi one, PeerNi other) {
        return !on || one.bond == null || one.bond != other.bond ? BondPolicy.BALANCED : policyOf(one.bond);
    }

    /** Returns the policy that chooses among local nets: that of the bond that counts. */
    BondPolicy localPolicy() {
        return bound ? policyOf(local) : BondPolicy.BALANCED;
    }

    /** Returns the policy that chooses among nets of a peer: that of the remote bond that counts. */
    BondPolicy remotePolicy() {
        return remote == null ? BondPolicy.BALANCED : policyOf(remote);
    }

    /**
     * Returns the NI of a net whose turn it is in its bond: the first of its list, or the one that was not used for
     * longest; null if none counts.
     */
    @Nullable
    LocalNi next(LocalNet net, boolean byPlace) {
        LocalNi next = null;
        for (int i = 0; i < net.nis.size(); i++) {
            LocalNi ni = net.nis.get(i);
            if (!ni.isUsable() || !admits(ni) || (used != null && used.path().hasUsed(ni))) {
                continue;
            }
            if (next == null || (byPlace ? ni.bondPlace < next.bondPlace : ni.seq < next.seq)) {
                next = ni;
            }
        }
        return next;
    }

    /** Returns the NID on a net of a peer whose turn it is in its bond; null if none counts. */
    @Nullable
    PeerNi next(PeerNet net, boolean byPlace) {
        PeerNi next = null;
        for (int i = 0; i < net.nis.size(); i++) {
            PeerNi ni = net.nis.get(i);
            if (admits(ni) && (next == null || (byPlace ? ni.bondPlace < next.bondPlace : ni.seq < next.seq))) {
                next = ni;
            }
        }
        return next;
    }
}
