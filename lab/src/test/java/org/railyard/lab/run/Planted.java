package org.railyard.lab.run;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.base.host.Host;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndProvider;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.wire.MessageType;

/**
 * A defect put into the state of a node, behind the stack's back, some time into the run: as its LND is handed a PUT,
 * one field gets another value.
 */
final class Planted extends Defects.Once {
    /** Does the damage. */
    @FunctionalInterface
    interface Damage {
        /**
         * Does it.
         *
         * @param node the state of the node
         * @param ni the NI that the message is sent from
         * @param message the message
         */
        void to(Object node, Object ni, Object message);
    }

    private final Damage damage;
    private final boolean forwarded;

    private Planted(Damage damage, boolean forwarded) {
        this.damage = damage;
        this.forwarded = forwarded;
    }

    /** As a PUT of the node's own leaves. */
    static Planted with(Damage damage) {
        return new Planted(damage, false);
    }

    /** As a PUT that the node passes on leaves, with a router buffer. */
    static Planted onARouter(Damage damage) {
        return new Planted(damage, true);
    }

    @Override
    public LndProvider aboveWatch(LndProvider lnd) {
        return new BentLnd(lnd) {
            private @Nullable LndUpcalls upcalls;

            @Override
            public Lnd create(LndUpcalls stack, Host host) {
                upcalls = stack;
                return super.create(stack, host);
            }

            @Override
            int send(Lnd inner, LndNi ni, LndMessage message) {
                boolean put = message.header().type() == MessageType.PUT
                        && message.header().portal() != Wire.RESERVED_PORTAL
                        && message.payloadLength() > 0;
                boolean others = !message.header().srcNid().isOnNetOf(ni.nid());
                if (put && others == forwarded && upcalls != null && isTime()) {
                    damage.to(get(upcalls, "receiver.node"), ni, message);
                }
                return inner.send(ni, message);
            }
        };
    }

    /** Returns what a path of fields leads to; a number is a place in a list or an array. */
    static Object get(Object from, String path) {
        Object at = from;
        for (String name : path.split("\\.", -1)) {
            Object next = Character.isDigit(name.charAt(0)) ? element(at, Integer.parseInt(name)) : read(at, name);
            if (next == null) {
                throw new AssertionError("nothing at " + name + " of " + path);
            }
            at = next;
        }
        return at;
    }

    private static @Nullable Object element(Object at, int place) {
        return at instanceof List<?> list ? list.get(place) : Array.get(at, place);
    }

    /** Gives the last field of a path another value. */
    static void set(Object from, String path, @Nullable Object value) {
        int last = path.lastIndexOf('.');
        Object at = last < 0 ? from : get(from, path.substring(0, last));
        try {
            field(at, path.substring(last + 1)).set(at, value);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    /** Adds something to a number. */
    static void add(Object from, String path, int more) {
        set(from, path, (int) get(from, path) + more);
    }

    private static @Nullable Object read(Object at, String name) {
        try {
            return field(at, name).get(at);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private static Field field(Object at, String name) {
        for (Class<?> type = at.getClass(); type != null; type = type.getSuperclass()) {
            for (Field each : type.getDeclaredFields()) {
                if (each.getName().equals(name)) {
                    each.setAccessible(true);
                    return each;
                }
            }
        }
        throw new AssertionError(at.getClass() + " has no field " + name);
    }
}
