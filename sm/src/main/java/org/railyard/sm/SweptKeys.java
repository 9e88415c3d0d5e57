package org.railyard.sm;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.model.Fabric;
import org.railyard.mad.smp.PortInfo;
import org.railyard.sm.discover.FoundSubnet;
import org.railyard.sm.subnet.ManagedNode;

/** The M_Keys that a sweep finds at end ports: tells of them and keeps them (spec 41 §9). For one sweep. */
final class SweptKeys {
    /** Most ports that a note names. */
    private static final int MAX_NAMES = 20;

    private final SubnetSweep.Context context;
    private final Consumer<String> notes;

    /** Whether that was tried, and told, in this sweep. */
    private boolean notKept;

    SweptKeys(SubnetSweep.Context context, Consumer<String> notes) {
        this.context = context;
        this.notes = notes;
    }

    /** Returns what an end port said last; null if it was not read, or is none. */
    private static @Nullable PortInfo said(FoundSubnet found, int port) {
        Fabric fabric = found.fabric();
        int number = fabric.portNumber(port);
        ManagedNode node = SubnetSweep.node(found, port);
        return fabric.isEndPort(port) && !node.isSilent(number) ? node.port(number) : null;
    }

    /** At protection level 0 a port tells its key to everybody, and takes Sets of those who have it. */
    void tellForeign(FoundSubnet found, Fabric fabric) {
        List<String> foreign = new ArrayList<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            PortInfo said = said(found, port);
            long key = said == null ? 0 : said.get(PortInfo.M_KEY);
            if (key != 0 && !context.mKeys().holds(key)) {
                foreign.add(fabric.portName(port));
            }
        }
        SomeNames.line(
                        foreign,
                        ": its M_Key is none of ours, so it takes nothing from us",
                        "the M_Keys of %d ports are none of ours, so they take nothing from us",
                        MAX_NAMES,
                        ", ")
                .forEach(notes);
    }

    /** How far a change of the M_Key has come; who does not answer is named where that is told. */
    void tellChange(FoundSubnet found, Fabric fabric) {
        if (!context.mKeys().isChanging()) {
            return;
        }
        long wanted = context.settings().ports().key().key();
        List<String> without = new ArrayList<>();
        int all = 0;
        for (int port = 0; port < fabric.portCount(); port++) {
            PortInfo said = said(found, port);
            if (said != null && fabric.lid(port) != 0) {
                all++;
                if (said.get(PortInfo.M_KEY) != wanted) {
                    without.add(fabric.portName(port));
                }
            }
        }
        String missing = without.isEmpty()
                ? ""
                : "; without it: " + String.join(", ", without.subList(0, Math.min(without.size(), MAX_NAMES)))
                        + (without.size() > MAX_NAMES ? " …" : "");
        notes.accept("the M_Key was changed: %d of %d end ports that were read have it%s"
                .formatted(all - without.size(), all, missing));
    }

    /**
     * Keeps which keys ports have, and before they get another one that, too: without its file the subnet goes on, but
     * the next start may know none that they take.
     *
     * @return false if that was not possible, which is told
     */
    boolean keep(FoundSubnet found) {
        if (context.keyStore() == TextStore.NONE || notKept) {
            return !notKept;
        }
        MKeyTable table = context.keyTable();
        for (int port = 0; port < found.fabric().portCount(); port++) {
            PortInfo said = said(found, port);
            if (said == null) {
                continue;
            }
            long key = said.get(PortInfo.M_KEY);
            // A protected port tells no key to those who have another one.
            boolean isTold = key != 0 || said.getInt(PortInfo.M_KEY_PROTECT) == 0;
            if (isTold && (key == 0 || context.mKeys().holds(key))) {
                table.seen(found.fabric().portGuid(port), key);
            }
        }
        table.ring(context.mKeys().newestFirst());
        if (table.isUnsaved()) {
            try {
                context.keyStore().save(table.text());
                table.saved();
            } catch (RuntimeException e) {
                notKept = true;
                notes.accept("the table of M_Keys is not kept: " + e.getMessage());
            }
        }
        return !notKept;
    }
}
