package org.railyard.lnet.api;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.MessageType;

/**
 * Which messages a fault rule hits (spec 10 §18). Immutable; the {@code with} methods return changed copies. Before it
 * is used in a rule it needs either a rate or an interval.
 *
 * @param source source NID in the header: {@link Nid#ANY} for all, address 255.255.255.255 for all of a net
 * @param target destination NID in the header, in the same way
 * @param local the NID that received the message, {@link Nid#ANY} if it does not matter; with it, the rule applies to
 *     drops on receipt only
 * @param portals bits of the portals of PUTs and GETs, 0 for all messages; with it, other types are not hit
 * @param messages types that are hit
 * @param rate one message in so many is hit, at a random place; 0 to go by time
 * @param interval one message in so many seconds is hit, from a random instant on; 0 to go by number
 */
public record FaultFilter(
        Nid source, Nid target, Nid local, long portals, Set<MessageType> messages, int rate, int interval) {
    private static final Set<MessageType> ALL =
            EnumSet.of(MessageType.PUT, MessageType.GET, MessageType.REPLY, MessageType.ACK);
    private static final Set<MessageType> REQUESTS = EnumSet.of(MessageType.PUT, MessageType.GET);
    private static final int BROADCAST = -1;

    /**
     * Checks.
     *
     * @throws ErrnoException EINVAL if no message can be hit, or rate or interval is negative
     */
    public FaultFilter {
        EnumSet<MessageType> types = EnumSet.copyOf(ALL);
        if (!messages.isEmpty()) {
            types.retainAll(messages);
        }
        if (portals != 0) {
            types.retainAll(REQUESTS);
        }
        if (types.isEmpty()) {
            throw new ErrnoException(
                    Errno.EINVAL,
                    "a fault rule for " + messages + (portals == 0 ? "" : " on certain portals")
                            + " can hit nothing; expected some of PUT, GET, REPLY and ACK, with portals PUT or GET");
        }
        if (rate < 0 || interval < 0) {
            throw new ErrnoException(
                    Errno.EINVAL,
                    "a fault rule with rate " + rate + " and interval " + interval + " s; expected 1 or more");
        }
        messages = Collections.unmodifiableSet(types);
    }

    /** Returns a filter for all messages from one NID to another; either may be a wildcard. */
    public static FaultFilter of(Nid source, Nid target) {
        return new FaultFilter(source, target, Nid.ANY, 0, ALL, 0, 0);
    }

    /** Returns a filter for all messages. */
    public static FaultFilter all() {
        return of(Nid.ANY, Nid.ANY);
    }

    /** Returns a copy for messages that a NID of this node receives. */
    public FaultFilter withLocal(Nid nid) {
        return new FaultFilter(source, target, nid, portals, messages, rate, interval);
    }

    /**
     * Returns a copy for some portals more.
     *
     * @throws ErrnoException EINVAL if there is no such portal
     */
    public FaultFilter withPortals(int... more) {
        long bits = portals;
        for (int portal : more) {
            if (portal < 0 || portal >= Wire.PORTALS) {
                throw new ErrnoException(
                        Errno.EINVAL, "portal " + portal + " of a fault rule; expected 0…" + (Wire.PORTALS - 1));
            }
            bits |= 1L << portal;
        }
        return new FaultFilter(source, target, local, bits, messages, rate, interval);
    }

    /** Returns a copy for messages of some types; none means all. */
    public FaultFilter withMessages(MessageType... types) {
        EnumSet<MessageType> set = EnumSet.noneOf(MessageType.class);
        Collections.addAll(set, types);
        return new FaultFilter(source, target, local, portals, set, rate, interval);
    }

    /** Returns a copy that hits one in so many messages. */
    public FaultFilter withRate(int every) {
        return new FaultFilter(source, target, local, portals, messages, every, interval);
    }

    /** Returns a copy that hits one message in so many seconds. */
    public FaultFilter withInterval(int seconds) {
        return new FaultFilter(source, target, local, portals, messages, rate, seconds);
    }

    void requireRateOrInterval() {
        if ((rate == 0) == (interval == 0)) {
            throw new ErrnoException(
                    Errno.EINVAL,
                    rate == 0
                            ? "a fault rule with neither rate nor interval; expected one of them"
                            : "a fault rule with rate " + rate + " and interval " + interval
                                    + " s; expected only one of them");
        }
    }

    /** Tells whether a NID is the one of a rule, or falls under its wildcard. */
    public static boolean matches(Nid rule, Nid nid) {
        return rule.isAny()
                || rule.equals(nid)
                || (rule.isNid4() && (int) rule.nid4() == BROADCAST && nid.isOn(rule.net()));
    }
}
