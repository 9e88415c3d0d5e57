package org.railyard.o2iblnd;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.o2iblnd.wire.RdmaDescriptor;

/** GETs of a peer that said where to write, until the stack hands over their REPLYs (spec 20 §13.2). */
final class PendingGets {
    private record Handle(long interfaceCookie, long objectCookie) {
        static Handle of(LNetHeader header) {
            return new Handle(header.interfaceCookie(), header.objectCookie());
        }
    }

    /**
     * One of them.
     *
     * @param cookie by which the peer knows it
     * @param sink where to write
     * @param deadline when to give up waiting for the stack, ns
     */
    record Get(long cookie, RdmaDescriptor sink, long deadline) {}

    private final Map<Handle, Get> gets = new LinkedHashMap<>();

    /** Notes a GET; false if there is one with the same handle already. */
    boolean add(LNetHeader header, long cookie, RdmaDescriptor sink, long deadline) {
        RdmaDescriptor copy = new RdmaDescriptor();
        copy.copyFrom(sink);
        return gets.putIfAbsent(Handle.of(header), new Get(cookie, copy, deadline)) == null;
    }

    int size() {
        return gets.size();
    }

    /** Returns the GET that a REPLY is for, which is not pending any more; null if there is none. */
    @Nullable
    Get take(LNetHeader reply) {
        return gets.remove(Handle.of(reply));
    }

    /** Returns those for which the stack has no REPLY in time; they are not pending any more. */
    List<Get> takeLate(long now) {
        List<Get> late = new ArrayList<>();
        for (Get get : gets.values()) {
            if (get.deadline <= now) {
                late.add(get);
            }
        }
        gets.values().removeAll(late);
        return late;
    }
}
