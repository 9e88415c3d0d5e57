package org.railyard.lnet.discovery;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.model.ActiveBond;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.MemoryDescriptor;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.stack.Descriptors;
import org.railyard.lnet.stack.Node;
import org.railyard.lnet.stack.OwnMemory;
import org.railyard.lnet.wire.PingInfo;

/**
 * What this node says of itself (spec 10 §19, 11 §5): the ping info block and the descriptor on portal 0 that answers
 * every GET with it. Rebuilt when NIs come and go, with a new sequence number; changed in place when only a status
 * changed.
 *
 * <p>Where there are local bonds, each has a block with a number of its own, and a GET is answered with that of the
 * bond that it came in on (spec 21 §10.1, cb-204). Only the node itself, through loopback, is told everything.
 */
public final class PingTarget {
    /** What is said to those who ask on the NIDs of one bond. Guarded by the lock, but for the descriptor. */
    private static final class Block {
        final @Nullable ActiveBond bond;
        int sequence;
        PingInfo info = PingInfo.of(0, ProcessId.LUSTRE_PID, 0, List.of());

        /** What answers with it, null as long as nothing does; until then the answer is the one before. */
        volatile @Nullable MemoryDescriptor md;

        Block(@Nullable ActiveBond bond) {
            this.bond = bond;
        }
    }

    /** A block that is to be published, and to whom: null for all. */
    private record Publication(
            Block block, PingInfo info, @Nullable Predicate<Nid> destinations) {}

    private final Node node;
    private final Descriptors descriptors;
    private final Block general = new Block(null);
    private final Block loopback = new Block(null);
    private final Map<ActiveBond, Block> bonds = new LinkedHashMap<>();
    private boolean segregated;
    private int highest;

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
        this.highest = (int) (node.host.clock().wallNanos() / 1_000_000_000L);
        general.sequence = highest;
        general.info = build(false, node.settings, highest, List.of());
    }

    /**
     * Says what is the case now, under a new sequence number; while there are local bonds, a new one for those of which
     * something else is said now.
     */
    public void rebuild() {
        publish(true);
    }

    /** Says what is the case now, under the old sequence number. */
    public void refresh() {
        publish(false);
    }

    private synchronized void publish(boolean newSequence) {
        List<Publication> publications = new ArrayList<>();
        List<MemoryDescriptor> old = new ArrayList<>();
        node.lock.lock();
        try {
            if (node.stopping) {
                return;
            }
            boolean before = segregated;
            segregated = !node.nis.bonds().local().isEmpty();
            withdrawUnused(old);
            renew(general, newSequence, before, publications);
            if (segregated) {
                node.nis.bonds().local().forEach(bond -> renew(blockOf(bond), newSequence, before, publications));
                renew(loopback, newSequence, before, publications);
            }
        } finally {
            node.lock.unlock();
        }
        for (Publication each : publications) {
            if (!publish(each)) {
                // The node began to stop since.
                return;
            }
        }
        old.forEach(descriptors::withdraw);
    }

    /** Forgets the blocks of bonds that are gone, and that for loopback where all are told everything. */
    private void withdrawUnused(List<MemoryDescriptor> old) {
        node.lock.assertHeld();
        bonds.values().removeIf(block -> {
            boolean gone = !node.nis.bonds().local().contains(block.bond);
            if (gone && block.md != null) {
                old.add(block.md);
            }
            return gone;
        });
        if (!segregated && loopback.md != null) {
            old.add(loopback.md);
            loopback.md = null;
        }
    }

    private Block blockOf(ActiveBond bond) {
        return bonds.computeIfAbsent(bond, Block::new);
    }

    /** Makes a block anew. */
    private void renew(Block block, boolean newSequence, boolean wasSegregated, List<Publication> publications) {
        node.lock.assertHeld();
        List<LocalNi> nis = new ArrayList<>();
        for (LocalNi ni : node.nis.all()) {
            if (!segregated || block == loopback || ni.bond == block.bond) {
                nis.add(ni);
            }
        }
        if (block.bond != null) {
            nis.sort(Comparator.comparingInt(ni -> ni.bondPlace));
        }
        PingInfo info = build(node.routing.isAnnounced(), node.settings, block.sequence, nis);
        boolean same = segregated == wasSegregated && info.equals(block.info);
        if (segregated && same && block.md != null) {
            return;
        }
        if (newSequence || block.sequence == 0) {
            // 0 would read as "never acknowledged".
            highest = highest == -1 ? 1 : highest + 1;
            block.sequence = highest;
            info = build(node.routing.isAnnounced(), node.settings, highest, nis);
        }
        block.info = info;
        publications.add(new Publication(block, info, segregated ? nid -> owner(nid) == block : null));
    }

    /** Returns the block that is said to those who ask on a NID. */
    private Block owner(Nid nid) {
        node.lock.assertHeld();
        LocalNi ni = nid.isLoopback() ? null : node.nis.find(nid);
        Block own = nid.isLoopback() ? loopback : ni == null || ni.bond == null ? general : bonds.get(ni.bond);
        return own == null || own.md == null ? general : own;
    }

    private boolean publish(Publication publication) {
        Block block = publication.block();
        MemorySegment memory = OwnMemory.allocate(publication.info().bytes());
        publication.info().write(memory, 0);
        MemoryDescriptor old = block.md;
        try {
            block.md = descriptors.attach(
                    new MeConfig(Wire.RESERVED_PORTAL, ProcessId.ANY, Wire.PING_MATCH_BITS, 0, true),
                    MdConfig.of(memory.asReadOnly())
                            .withOptions(MdOption.OP_GET, MdOption.TRUNCATE, MdOption.MANAGE_REMOTE),
                    publication.destinations());
        } catch (ErrnoException e) {
            if (e.errno() == Errno.ESHUTDOWN) {
                return false;
            }
            throw e;
        }
        if (old != null) {
            descriptors.withdraw(old);
        }
        return true;
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
            if (ni.state() == LocalNi.State.ACTIVE && entries.size() + 1 < settings.get(Tunable.MAX_INTERFACES)) {
                entries.add(new PingInfo.Entry(ni.nid(), ni.status()));
            }
        }
        return PingInfo.of(features, ProcessId.LUSTRE_PID, sequence, entries);
    }

    /** Tells whether each bond is told of apart. */
    boolean isSegregated() {
        node.lock.assertHeld();
        return segregated;
    }

    /** Tells whether there is a bond to speak of: it is told of, and has NIDs. */
    boolean hasNids(@Nullable ActiveBond bond) {
        node.lock.assertHeld();
        return (bond == null || bonds.containsKey(bond)) && block(bond).info.primary() != null;
    }

    /**
     * Returns what this node says of itself now.
     *
     * @param bond to those who have to do with this bond, null for the default one, which is all there is without bonds
     */
    public PingInfo info(@Nullable ActiveBond bond) {
        node.lock.assertHeld();
        return block(bond).info;
    }

    /** Returns the number of what this node says of itself now. */
    public int sequence(@Nullable ActiveBond bond) {
        node.lock.assertHeld();
        return block(bond).sequence;
    }

    private Block block(@Nullable ActiveBond bond) {
        Block own = bond == null ? general : bonds.get(bond);
        if (own == null) {
            throw new IllegalStateException("bond " + bond + " is not told of");
        }
        return own;
    }
}
