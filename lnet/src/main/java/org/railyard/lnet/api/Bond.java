package org.railyard.lnet.api;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.nid.Nid;

/**
 * A bond: NIDs that an administrator puts together, on one net or several (spec 21 §10.1). This is LNet's own grouping,
 * above all transports; the groups that a transport makes of several interfaces (channel bonding, spec 21 §2) are
 * another thing: such a group is one NID. Immutable.
 *
 * @param name what it is called: 1 to {@link #MAX_NAME} letters, digits, {@code . _ -}, the first a letter or a digit;
 *     not {@code default}
 * @param kind whose NIDs they are
 * @param policy how one of them is chosen
 * @param nids at most {@link #MAX_NIDS}, each once, in the order in which they are told to peers and {@link
 *     BondPolicy#ORDERED} prefers them; they need not exist: an NI or a peer NID that comes later is in the bond from
 *     then on
 */
public record Bond(String name, Kind kind, BondPolicy policy, List<Nid> nids) {
    /** Longest name, characters. */
    public static final int MAX_NAME = 32;

    /** Most NIDs of a bond. */
    public static final int MAX_NIDS = 256;

    /** What the bond of all NIs that are in no other is called. */
    public static final String DEFAULT_NAME = "default";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0," + (MAX_NAME - 1) + "}");

    /** Whose NIDs are in a bond. */
    public enum Kind {
        /** Those of this node. */
        LOCAL("local"),
        /** Those of peers. */
        REMOTE("remote");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        /** Returns its name in configuration. */
        public String text() {
            return text;
        }

        /** Returns the kind with a name. */
        public static Optional<Kind> find(String name) {
            return Arrays.stream(values())
                    .filter(each -> each.text.equals(name))
                    .findFirst();
        }
    }

    /**
     * Checks it.
     *
     * @throws ErrnoException EINVAL if the name can not be one, or a NID is the wildcard, loopback, or twice in the
     *     list; ENOSPC if there are too many
     */
    public Bond {
        nids = List.copyOf(nids);
        if (!NAME.matcher(name).matches() || name.equals(DEFAULT_NAME)) {
            throw new ErrnoException(
                    Errno.EINVAL,
                    "'" + name + "' as the name of a bond; expected 1 to " + MAX_NAME
                            + " letters, digits or ._- with a letter or digit in front, and not '" + DEFAULT_NAME
                            + "'");
        }
        if (nids.size() > MAX_NIDS) {
            throw new ErrnoException(
                    Errno.ENOSPC, "bond " + name + " with " + nids.size() + " NIDs; the limit is " + MAX_NIDS);
        }
        Set<Nid> seen = new LinkedHashSet<>();
        for (Nid nid : nids) {
            if (nid.isAny() || nid.isLoopback() || !seen.add(nid)) {
                throw new ErrnoException(
                        Errno.EINVAL,
                        "bond " + name + " with " + nid + (seen.contains(nid) ? " twice" : "")
                                + "; expected NIDs of one node, each once");
            }
        }
    }

    /**
     * Returns it with NIDs added at the end.
     *
     * @throws ErrnoException EEXIST if one is in it already; EINVAL, ENOSPC as for a new one
     */
    public Bond with(List<Nid> added) {
        for (Nid nid : added) {
            if (nids.contains(nid)) {
                throw new ErrnoException(Errno.EEXIST, nid + " is in bond " + name + " already");
            }
        }
        List<Nid> all = new ArrayList<>(nids);
        all.addAll(added);
        return new Bond(name, kind, policy, all);
    }

    /**
     * Returns it without some NIDs.
     *
     * @throws ErrnoException ENOENT if one is not in it
     */
    public Bond without(List<Nid> removed) {
        for (Nid nid : removed) {
            if (!nids.contains(nid)) {
                throw new ErrnoException(
                        Errno.ENOENT, nid + " is not in bond " + name + "; 'lnetctl bond show' lists its NIDs");
            }
        }
        List<Nid> left = new ArrayList<>(nids);
        left.removeAll(removed);
        return new Bond(name, kind, policy, left);
    }

    /** Returns it with another policy. */
    public Bond with(BondPolicy other) {
        return new Bond(name, kind, other, nids);
    }
}
