package org.railyard.lab.observe;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The calls that have no outcome yet, found by number. Belongs to the thread of its run. */
public final class OpenCalls {
    /** Most places of the table; more calls at a time are a mistake of the scenario. */
    private static final int MAX_PLACES = 1 << 24;

    private @Nullable Call[] table = new Call[1 << 10];
    private int size;
    private long oldest = 1;

    /** Makes an empty table. */
    public OpenCalls() {}

    /** Returns how many there are. */
    public int size() {
        return size;
    }

    /** Adds a call. */
    public void add(Call call) {
        while (at(call.id()) != null) {
            grow();
        }
        table[place(call.id())] = call;
        size++;
    }

    private void grow() {
        if (table.length >= MAX_PLACES) {
            throw new IllegalStateException("too many calls without an outcome");
        }
        @Nullable Call[] old = table;
        table = new Call[old.length * 2];
        for (Call call : old) {
            if (call != null) {
                table[place(call.id())] = call;
            }
        }
    }

    private int place(long id) {
        return (int) id & table.length - 1;
    }

    private @Nullable Call at(long id) {
        return table[place(id)];
    }

    /** Removes a call. */
    public void remove(Call call) {
        if (at(call.id()) == call) {
            table[place(call.id())] = null;
            size--;
        }
    }

    /** Returns the call with a number, or null if it is over or never was. */
    public @Nullable Call find(long id) {
        Call call = at(id);
        return call != null && call.id() == id ? call : null;
    }

    /**
     * Returns the call that has been open longest, or null if none is.
     *
     * @param newest number of the newest call
     */
    public @Nullable Call oldest(long newest) {
        while (oldest <= newest) {
            Call call = find(oldest);
            if (call != null) {
                return call;
            }
            oldest++;
        }
        return null;
    }

    /** Returns the open calls of a node, by number. */
    public List<Call> of(NodeRun life) {
        List<Call> calls = new ArrayList<>();
        for (Call call : table) {
            if (call != null && call.life() == life) {
                calls.add(call);
            }
        }
        calls.sort((a, b) -> Long.compare(a.id(), b.id()));
        return calls;
    }
}
