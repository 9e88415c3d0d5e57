package org.railyard.sm.sa;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.railyard.fabric.model.Fabric;
import org.railyard.mad.layout.Gid;
import org.railyard.mad.sa.GuidInfoRecord;
import org.railyard.mad.smp.GuidInfo;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadStatus;
import org.railyard.mad.wire.SaHeader;
import org.railyard.sm.model.PortGuids;

/**
 * GUIDs that ports have beside their own, such as those of virtual functions (spec 41 §7.4). A port that is absent
 * keeps them until another one asks for them, or space is needed.
 */
final class AliasGuids {
    private static final int BLOCK = PortGuids.BLOCK;
    private static final long NEEDED = GuidInfoRecord.LID.mask() | GuidInfoRecord.BLOCK.mask();
    private static final int FIRST_GUID_BIT = Long.numberOfTrailingZeros(GuidInfoRecord.GUIDS.mask());

    /** Begin of the GUIDs that are made here, the OUI of OpenFabrics as OpenSM's; 24 bits differ. */
    private static final long OWN = 0x0014_0500_0000_0000L;

    private static final int OWN_BITS = 24;
    private static final int OWN_COUNT = 1 << OWN_BITS;

    /** 2 to the 64 divided by the golden ratio: what is near to each other comes far from each other. */
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    private final int limit;
    private final Changes changes;
    private final Map<Long, SortedMap<Integer, Block>> byPort = new LinkedHashMap<>();
    private final Map<Long, Long> owners = new TreeMap<>();
    private int revision;

    /** Who has to know of changes. */
    interface Changes {
        /** A port has another GUID. */
        void added(long portGuid, long alias);

        /** A port is about to lose a GUID: it is still known. */
        void goes(long portGuid, long alias);

        /** A port has to be written. */
        void changed();
    }

    private static final class Block {
        private final long[] guids = new long[BLOCK];
        private int revision;

        boolean isEmpty() {
            return Arrays.stream(guids).allMatch(guid -> guid == 0);
        }
    }

    AliasGuids(int limit, Changes changes) {
        this.limit = limit;
        this.changes = changes;
    }

    int count() {
        return owners.size();
    }

    /** Returns the GUID of the port that has an alias; any other GUID is returned as it is. */
    long ownerOf(long guid) {
        Long owner = owners.get(guid);
        return owner == null ? guid : owner;
    }

    /** Returns the alias GUIDs of a port. */
    List<Long> of(long portGuid) {
        List<Long> all = new ArrayList<>();
        for (Block block : byPort.getOrDefault(portGuid, new TreeMap<>()).values()) {
            Arrays.stream(block.guids).filter(guid -> guid != 0).forEach(all::add);
        }
        return all;
    }

    /** Fills in a block of a port as it is. */
    void fill(long portGuid, int number, GuidInfo table) {
        Block block = byPort.getOrDefault(portGuid, new TreeMap<>()).get(number);
        for (int i = 0; i < BLOCK; i++) {
            table.set(GuidInfo.GUIDS, i, block == null ? 0 : block.guids[i]);
        }
        if (number == 0) {
            table.set(GuidInfo.GUIDS, 0, portGuid);
        }
    }

    /** Returns the blocks that ports shall have. */
    List<PortGuids> blocks() {
        List<PortGuids> all = new ArrayList<>();
        byPort.forEach((portGuid, blocks) -> blocks.forEach((number, block) -> all.add(new PortGuids(
                portGuid, number, Arrays.stream(block.guids).boxed().toList(), block.revision))));
        return all;
    }

    /** Returns how many GUIDs an end port has space for, its own included. */
    static int capacity(SubnetView view, int port) {
        return Math.max(
                1,
                view.snapshot()
                        .portInfo(port)
                        .map((PortInfo info) -> info.getInt(PortInfo.GUID_CAP))
                        .orElse(0));
    }

    /** The GUID of a port that has come counts, not an alias that was given when nobody knew of it. */
    void update(SubnetView view) {
        for (long alias : List.copyOf(owners.keySet())) {
            if (view.portOfOwnGuid(alias) != Fabric.NONE) {
                drop(alias);
            }
        }
        byPort.entrySet()
                .removeIf(of -> of.getValue().values().stream().allMatch(Block::isEmpty)
                        && view.portOfOwnGuid(of.getKey()) == Fabric.NONE);
    }

    private void drop(long alias) {
        Long owner = owners.get(alias);
        if (owner == null) {
            return;
        }
        changes.goes(owner, alias);
        owners.remove(alias);
        byPort.getOrDefault(owner, new TreeMap<>()).values().forEach(block -> {
            for (int i = 0; i < BLOCK; i++) {
                if (block.guids[i] == alias) {
                    block.guids[i] = 0;
                    block.revision = ++revision;
                }
            }
        });
        changes.changed();
    }

    /**
     * Answers Set: adds GUIDs to the requester's own port, one of ours where it asks for none. The answer has 0 for
     * those that are declined: another port has them.
     */
    Mad set(Mad request, Requester from, SubnetView view) {
        GuidInfoRecord asked = request.data(GuidInfoRecord.TYPE);
        int refused = mayChange(request, from, view);
        if (refused != MadStatus.OK) {
            return request.answer(refused, 0);
        }
        int port = view.fabric().portOfLid(asked.getInt(GuidInfoRecord.LID));
        long portGuid = view.fabric().portGuid(port);
        int number = asked.getInt(GuidInfoRecord.BLOCK);
        int wanted = wanted(request, number, capacity(view, port));
        Block block = byPort.getOrDefault(portGuid, new TreeMap<>()).getOrDefault(number, new Block());
        int more = 0;
        for (int i = 0; i < BLOCK; i++) {
            more += (wanted >>> i & 1) != 0 && block.guids[i] == 0 ? 1 : 0;
        }
        if (!makeSpace(more, view)) {
            return request.answer(MadStatus.SA_NO_RESOURCES, 0);
        }
        int declined = wanted(request, number, Integer.MAX_VALUE) & ~wanted;
        block = wanted == 0 ? block : block(portGuid, number);
        for (int i = 0; i < BLOCK; i++) {
            if ((wanted >>> i & 1) != 0 && !take(view, portGuid, number, i, asked.get(GuidInfoRecord.GUIDS, i))) {
                declined |= 1 << i;
            }
        }
        if (wanted != 0) {
            block.revision = ++revision;
            changes.changed();
        }
        return answer(request, portGuid, declined);
    }

    /** Answers Delete: takes GUIDs away from the requester's own port, whichever they are. */
    Mad delete(Mad request, Requester from, SubnetView view) {
        GuidInfoRecord asked = request.data(GuidInfoRecord.TYPE);
        int refused = mayChange(request, from, view);
        if (refused != MadStatus.OK) {
            return request.answer(refused, 0);
        }
        int port = view.fabric().portOfLid(asked.getInt(GuidInfoRecord.LID));
        long portGuid = view.fabric().portGuid(port);
        int number = asked.getInt(GuidInfoRecord.BLOCK);
        int wanted = wanted(request, number, capacity(view, port));
        if (wanted != 0) {
            // A port may have what we do not know of: then it loses that, too.
            Block block = block(portGuid, number);
            for (int i = 0; i < BLOCK; i++) {
                if ((wanted >>> i & 1) != 0) {
                    drop(block.guids[i]);
                }
            }
            block.revision = ++revision;
            changes.changed();
        }
        return answer(request, portGuid, 0);
    }

    private Block block(long portGuid, int number) {
        return byPort.computeIfAbsent(portGuid, _ -> new TreeMap<>()).computeIfAbsent(number, _ -> new Block());
    }

    private static int mayChange(Mad request, Requester from, SubnetView view) {
        GuidInfoRecord asked = request.data(GuidInfoRecord.TYPE);
        if ((request.saHeader().get(SaHeader.COMPONENT_MASK) & NEEDED) != NEEDED) {
            return MadStatus.SA_FEW_COMPONENTS;
        }
        int port = view.fabric().portOfLid(asked.getInt(GuidInfoRecord.LID));
        if (port == Fabric.NONE) {
            return MadStatus.SA_INVALID;
        }
        if (port != from.port() && !from.isTrusted()) {
            return MadStatus.SA_DENIED;
        }
        boolean isThere = asked.getInt(GuidInfoRecord.BLOCK) * BLOCK < capacity(view, port);
        return isThere ? MadStatus.OK : MadStatus.SA_INVALID;
    }

    /** Returns which GUIDs of the block are meant, a bit each. The first of all is the port's own, for ever. */
    private static int wanted(Mad request, int number, int capacity) {
        int bits = (int) (request.saHeader().get(SaHeader.COMPONENT_MASK) >>> FIRST_GUID_BIT) & (1 << BLOCK) - 1;
        int there = Math.min(BLOCK, capacity - number * BLOCK);
        return bits & (1 << there) - 1 & (number == 0 ? ~1 : ~0);
    }

    private boolean take(SubnetView view, long portGuid, int number, int index, long wanted) {
        Block block = block(portGuid, number);
        long now = block.guids[index];
        if (wanted == 0 && now != 0 || wanted != 0 && wanted == now) {
            return true;
        }
        long alias = wanted == 0 ? made(view, portGuid, number * BLOCK + index) : wanted;
        if (!isFree(view, alias)) {
            return false;
        }
        drop(alias);
        drop(now);
        block.guids[index] = alias;
        owners.put(alias, portGuid);
        changes.added(portGuid, alias);
        return true;
    }

    /** The same for the same place as long as nobody has it: after a takeover hosts get what they had. */
    private long made(SubnetView view, long portGuid, int index) {
        // GUIDs of ports may follow each other as places do: neither is just added to the other.
        int next = (int) ((portGuid * SPREAD + index) * SPREAD >>> Long.SIZE - OWN_BITS);
        while (owners.containsKey(OWN | next) || !isFree(view, OWN | next)) {
            next = (next + 1) % OWN_COUNT;
        }
        return OWN | next;
    }

    /** What an absent port has is for whom it moves to, such as a virtual machine with its address. */
    private boolean isFree(SubnetView view, long alias) {
        Long owner = owners.get(alias);
        return alias != -1L
                && view.portOfOwnGuid(alias) == Fabric.NONE
                && (owner == null || view.portOfOwnGuid(owner) == Fabric.NONE);
    }

    private boolean makeSpace(int count, SubnetView view) {
        for (long portGuid : List.copyOf(byPort.keySet())) {
            if (owners.size() + count <= limit) {
                return true;
            }
            if (view.portOfOwnGuid(portGuid) == Fabric.NONE) {
                of(portGuid).forEach(this::drop);
                byPort.remove(portGuid);
            }
        }
        return owners.size() + count <= limit;
    }

    private Mad answer(Mad request, long portGuid, int declined) {
        GuidInfoRecord asked = request.data(GuidInfoRecord.TYPE);
        Mad answer = request.answer(MadStatus.OK, GuidInfoRecord.TYPE.recordSize());
        answer.saHeader().set(SaHeader.ATTRIBUTE_OFFSET, GuidInfoRecord.TYPE.attributeOffset());
        GuidInfoRecord record = answer.data(GuidInfoRecord.TYPE);
        record.setAll(asked);
        fill(portGuid, asked.getInt(GuidInfoRecord.BLOCK), record.table());
        for (int i = 0; i < BLOCK; i++) {
            if ((declined >>> i & 1) != 0) {
                record.set(GuidInfoRecord.GUIDS, i, 0);
            }
        }
        return answer;
    }

    /** Adds what is to be kept. */
    void write(List<SaState.Line> lines) {
        byPort.forEach((portGuid, blocks) -> blocks.forEach((number, block) -> {
            if (!block.isEmpty()) {
                List<Long> numbers = new ArrayList<>(List.of(portGuid, (long) number));
                Arrays.stream(block.guids).forEach(numbers::add);
                lines.add(SaState.Line.of(SaState.Kind.ALIAS, numbers.toArray(Long[]::new)));
            }
        }));
    }

    /** Takes what was kept, before anybody has asked. */
    void restore(List<SaState.Line> lines) {
        for (SaState.Line line : lines) {
            if (line.kind() != SaState.Kind.ALIAS || line.number(1) < 0 || line.number(1) >= PortGuids.MAX_BLOCKS) {
                continue;
            }
            long portGuid = line.number(0);
            int number = (int) line.number(1);
            for (int i = number == 0 ? 1 : 0; i < BLOCK; i++) {
                long alias = line.number(2 + i);
                boolean isGood = alias != 0 && alias != -1L && alias != portGuid && owners.size() < limit;
                if (isGood && owners.putIfAbsent(alias, portGuid) == null) {
                    Block block = block(portGuid, number);
                    block.guids[i] = alias;
                    block.revision = ++revision;
                }
            }
        }
    }

    void checkInvariants() {
        int all = 0;
        for (Map.Entry<Long, SortedMap<Integer, Block>> of : byPort.entrySet()) {
            for (long alias : of(of.getKey())) {
                all++;
                if (ownerOf(alias) != of.getKey()) {
                    throw new IllegalStateException("%s has alias 0x%016x, which is known to be of 0x%016x"
                            .formatted(new Gid(0, of.getKey()), alias, ownerOf(alias)));
                }
            }
        }
        if (all != owners.size()) {
            throw new IllegalStateException(all + " alias GUIDs at ports, " + owners.size() + " known");
        }
    }
}
