package org.railyard.lnet.api;

import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.nid.NidFormatException;
import org.railyard.lnet.nid.NidPattern;

/**
 * A rule of the user-defined selection policy (spec 10 §20). One of four shapes: {@code src} alone or {@code dst} alone
 * gives nets or NIs a priority; {@code src} with {@code dst} says which local NIDs to prefer towards which peer NIDs;
 * {@code dst} with {@code rte} says which routers to prefer. Rules order paths, they never forbid one. Immutable.
 *
 * @param src local nets or NIDs, null if the rule does not speak of them
 * @param dst nets or NIDs of peers, null if the rule does not speak of them
 * @param rte NIDs of routers, null if the rule does not speak of them
 * @param priority 0 is best, {@link #NO_PRIORITY} for none; a rule of {@code src} or {@code dst} alone has one always;
 *     in a rule with both it orders several preferred NIDs of one peer NI, those without one last
 * @param count for a rule of {@code src} and {@code dst}: messages after which it is left out once, 0 for never
 */
public record UdspRule(
        @Nullable NidPattern src,
        @Nullable NidPattern dst,
        @Nullable NidPattern rte,
        long priority,
        int count) {
    /** No priority. */
    public static final long NO_PRIORITY = -1;

    /** The largest priority that can be set; the worst. */
    public static final long MAX_PRIORITY = 0xfffffffeL;

    /**
     * Checks the shape; a rule of {@code src} or {@code dst} alone without a priority gets 0, the best.
     *
     * @throws ErrnoException EINVAL if there is no such shape, or a number is out of its range
     */
    public UdspRule {
        boolean single = rte == null && (src == null) != (dst == null);
        boolean pair = rte == null && src != null && dst != null;
        boolean router = rte != null && src == null && dst != null;
        if (!single && !pair && !router) {
            throw new ErrnoException(
                    Errno.EINVAL,
                    "a selection rule with " + parts(src, dst, rte)
                            + "; expected src, dst, src with dst, or dst with rte");
        }
        if (priority < NO_PRIORITY || priority > MAX_PRIORITY || (router && priority != NO_PRIORITY)) {
            throw new ErrnoException(
                    Errno.EINVAL,
                    "priority " + priority + " of a selection rule; expected "
                            + (router ? "none, the rule prefers routers" : "0…" + MAX_PRIORITY));
        }
        if (count < 0) {
            throw new ErrnoException(Errno.EINVAL, "count " + count + " of a selection rule; expected 0 or more");
        }
        if (count > 0 && !pair) {
            throw new ErrnoException(
                    Errno.EINVAL,
                    "count " + count + " of a selection rule with " + parts(src, dst, rte)
                            + "; only a rule with src and dst counts messages");
        }
        priority = single && priority == NO_PRIORITY ? 0 : priority;
    }

    private static String parts(@Nullable NidPattern src, @Nullable NidPattern dst, @Nullable NidPattern rte) {
        StringJoiner parts = new StringJoiner(" and ").setEmptyValue("nothing");
        if (src != null) {
            parts.add("src");
        }
        if (dst != null) {
            parts.add("dst");
        }
        if (rte != null) {
            parts.add("rte");
        }
        return parts.toString();
    }

    /**
     * Reads a rule without priority and count.
     *
     * @param src see there, as text; null if absent
     * @param dst see there, as text; null if absent
     * @param rte see there, as text; null if absent
     * @throws ErrnoException EINVAL if a text is no pattern or the shape is none
     */
    public static UdspRule of(@Nullable String src, @Nullable String dst, @Nullable String rte) {
        return new UdspRule(pattern("src", src), pattern("dst", dst), pattern("rte", rte), NO_PRIORITY, 0);
    }

    private static @Nullable NidPattern pattern(String part, @Nullable String text) {
        try {
            return text == null ? null : NidPattern.parse(text);
        } catch (NidFormatException e) {
            throw new ErrnoException(Errno.EINVAL, part + " of a selection rule: " + e.getMessage(), e);
        }
    }

    /** Returns the same rule with a priority. */
    public UdspRule withPriority(long other) {
        return new UdspRule(src, dst, rte, other, count);
    }

    /** Returns the same rule with a count. */
    public UdspRule withCount(int messages) {
        return new UdspRule(src, dst, rte, priority, messages);
    }

    /** Tells whether it says which local NIDs to prefer. */
    public boolean isPair() {
        return src != null && dst != null;
    }

    /** Tells whether it speaks of the same as another, whatever it says of it. */
    public boolean hasSamePartsAs(UdspRule other) {
        return Objects.equals(src, other.src) && Objects.equals(dst, other.dst) && Objects.equals(rte, other.rte);
    }

    /**
     * Returns it as in the listings of the configuration tool, on one line: {@code src: tcp, action: {priority: 0}}.
     */
    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(", ");
        if (src != null) {
            text.add("src: " + src);
        }
        if (dst != null) {
            text.add("dst: " + dst);
        }
        if (rte != null) {
            text.add("rte: " + rte);
        }
        StringJoiner action = new StringJoiner(", ", "action: {", "}").setEmptyValue("");
        if (priority != NO_PRIORITY) {
            action.add("priority: " + priority);
        }
        if (count > 0) {
            action.add("count: " + count);
        }
        if (action.length() > 0) {
            text.add(action.toString());
        }
        return text.toString();
    }
}
