package org.railyard.lnet.nid;

import org.jspecify.annotations.Nullable;

/**
 * What a selection rule speaks of: whole nets, such as {@code tcp} or {@code o2ib[1-3]}, or NIDs, such as {@code
 * 10.0.*.[1-5]@tcp}. Immutable; matching allocates nothing.
 *
 * @param net the nets
 * @param nids the NIDs on them, null for the nets as such
 */
public record NidPattern(NetRange net, @Nullable NidRange nids) {
    /**
     * Reads a pattern: NIDs if there is an {@code @}, nets otherwise.
     *
     * @throws NidFormatException if the text is neither
     */
    public static NidPattern parse(String text) {
        if (text.indexOf('@') < 0) {
            return new NidPattern(NetRange.parse(text.strip()), null);
        }
        NidRange nids = NidRange.parse(text);
        return new NidPattern(nids.net(), nids);
    }

    /** Tells whether it speaks of nets as such. */
    public boolean isNet() {
        return nids == null;
    }

    /** Tells whether it speaks of a NID, or of the net that the NID is on. */
    public boolean matches(Nid nid) {
        return nids == null ? net.matches(nid) : nids.matches(nid);
    }

    /** Returns a text that reads back as an equal pattern. */
    @Override
    public String toString() {
        return nids == null ? net.toString() : nids.toString();
    }
}
