package org.railyard.selftest.wire;

import static org.railyard.base.wire.Wire.LE32;
import static org.railyard.base.wire.Wire.LE64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;

/**
 * The list of processes that a client of a test is to call (spec 03 §3.5). It is laid out in pages with a rest that is
 * left free, but transferred as if it had none: what lies behind the end does not arrive.
 */
public final class TargetList {
    private static final StructLayout ENTRY = MemoryLayout.structLayout(LE64.withName("nid"), LE32.withName("pid"));

    private static final VarHandle NID = Wire.field(ENTRY, "nid");
    private static final VarHandle PID = Wire.field(ENTRY, "pid");
    private static final int ENTRY_BYTES = (int) ENTRY.byteSize();

    /** Entries of a page: a list of at most so many has no gaps. */
    public static final int PER_PAGE = Pattern.PAGE / ENTRY_BYTES;

    private static final int MAX_PAGES = 256;

    /** Most entries. */
    public static final int MAX_TARGETS = PER_PAGE * MAX_PAGES;

    private TargetList() {}

    /** Returns how many bytes are transferred. */
    public static long bytes(int targets) {
        return (long) targets * ENTRY_BYTES;
    }

    private static long at(int index) {
        return (long) (index / PER_PAGE) * Pattern.PAGE + (long) (index % PER_PAGE) * ENTRY_BYTES;
    }

    /**
     * Reads the entries that lie inside.
     *
     * @param order how the node that sent it writes numbers
     */
    public static List<ProcessId> read(MemorySegment from, int targets, ByteOrder order) {
        List<ProcessId> list = new ArrayList<>();
        boolean turned = order == ByteOrder.BIG_ENDIAN;
        for (int i = 0; i < targets && at(i) + ENTRY_BYTES <= from.byteSize(); i++) {
            long nid = (long) NID.get(from, at(i));
            int pid = (int) PID.get(from, at(i));
            list.add(new ProcessId(
                    Nid.ofNid4(turned ? Long.reverseBytes(nid) : nid), turned ? Integer.reverseBytes(pid) : pid));
        }
        return list;
    }

    /** Writes entries, {@link #PER_PAGE} at most. */
    public static void write(MemorySegment to, List<ProcessId> targets) {
        for (int i = 0; i < targets.size(); i++) {
            NID.set(to, at(i), targets.get(i).nid().nid4());
            PID.set(to, at(i), targets.get(i).pid());
        }
    }
}
