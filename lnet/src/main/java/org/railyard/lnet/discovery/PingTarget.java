package org.railyard.lnet.discovery;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.Errno;
import org.railyard.lnet.LNetException;
import org.railyard.lnet.MdConfig;
import org.railyard.lnet.MdOption;
import org.railyard.lnet.MeConfig;
import org.railyard.lnet.Settings;
import org.railyard.lnet.Tunable;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.MemoryDescriptor;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.stack.Descriptors;
import org.railyard.lnet.stack.Node;
import org.railyard.lnet.wire.PingInfo;
import org.railyard.lnet.wire.Wire;

/**
 * What this node says of itself (spec 10 §19, 11 §5): the ping info block and the descriptor on portal 0 that answers every GET with it. Rebuilt when
 * NIs come and go, with a new sequence number; changed in place when only a status changed.
 */
public final class PingTarget {
    private final Node node;
    private final Descriptors descriptors;
    private int sequence;
    private PingInfo info;
    private @Nullable MemoryDescriptor md;

    /**
     * Makes a target that answers nothing yet.
     *
     * @param node the node
     * @param descriptors where descriptors are made and unmade
     */
    public PingTarget(Node node, Descriptors descriptors) {
        this.node = node;
        this.descriptors = descriptors;
        // After a restart the number must not go back (spec 01 §7.7): seconds of the epoch.
        this.sequence = (int) (node.host.clock().wallNanos() / 1_000_000_000L);
        this.info = build(false, node.settings, sequence, List.of());
    }

    /** Says what is the case now, under a new sequence number. */
    public void rebuild() {
        publish(true);
    }

    /** Says what is the case now, under the old sequence number. */
    public void refresh() {
        publish(false);
    }

    private synchronized void publish(boolean newSequence) {
        PingInfo block;
        node.lock.lock();
        try {
            if (node.stopping) {
                return;
            }
            if (newSequence) {
                // 0 would read as "never acknowledged".
                sequence = sequence == -1 ? 1 : sequence + 1;
            }
            block = build(node.routing.isAnnounced(), node.settings, sequence, node.nis.all());
            info = block;
        } finally {
            node.lock.unlock();
        }
        MemorySegment memory = Arena.ofAuto().allocate(block.bytes(), Long.BYTES);
        block.write(memory, 0);
        MemoryDescriptor old = md;
        try {
            md = descriptors.attach(
                    new MeConfig(Wire.RESERVED_PORTAL, ProcessId.ANY, Wire.PING_MATCH_BITS, 0, true),
                    MdConfig.of(memory.asReadOnly())
                            .withOptions(MdOption.OP_GET, MdOption.TRUNCATE, MdOption.MANAGE_REMOTE));
        } catch (LNetException e) {
            if (e.errno() == Errno.ESHUTDOWN) {
                // The node began to stop since.
                return;
            }
            throw e;
        }
        if (old != null) {
            descriptors.withdraw(old);
        }
    }

    private static PingInfo build(boolean router, Settings settings, int sequence, List<LocalNi> nis) {
        int features = PingInfo.NI_STATUS | (router ? 0 : PingInfo.RTE_DISABLED);
        if (settings.is(Tunable.MULTI_RAIL)) {
            features |= PingInfo.MULTI_RAIL;
            if (settings.is(Tunable.DISCOVERY)) {
                features |= PingInfo.DISCOVERY;
            }
        }
        List<PingInfo.Entry> entries = new ArrayList<>();
        for (LocalNi ni : nis) {
            if (ni.state == LocalNi.State.ACTIVE && entries.size() + 1 < settings.get(Tunable.MAX_INTERFACES)) {
                entries.add(new PingInfo.Entry(ni.nid(), ni.status()));
            }
        }
        return PingInfo.of(features, ProcessId.LUSTRE_PID, sequence, entries);
    }

    /** Returns what this node says of itself now. Needs the lock. */
    public PingInfo info() {
        return info;
    }

    /** Returns the number of what this node says of itself now. Needs the lock. */
    public int sequence() {
        return sequence;
    }
}
