package org.railyard.sm.sa;

import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.railyard.fabric.model.Fabric;
import org.railyard.mad.layout.BitField;
import org.railyard.mad.layout.BitStruct;
import org.railyard.mad.sa.GuidInfoRecord;
import org.railyard.mad.sa.LinkRecord;
import org.railyard.mad.sa.NodeRecord;
import org.railyard.mad.sa.PKeyRecord;
import org.railyard.mad.sa.PortInfoRecord;
import org.railyard.mad.sa.SmInfoRecord;
import org.railyard.mad.sa.SwitchInfoRecord;
import org.railyard.mad.smp.NodeDescription;
import org.railyard.mad.smp.NodeInfo;
import org.railyard.mad.smp.PKeyTable;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.SmInfo;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadStatus;
import org.railyard.mad.wire.SaHeader;
import org.railyard.sm.model.PortGuids;
import org.railyard.sm.model.SubnetSnapshot;

/** Records of nodes, ports and links, as the last sweep found them (spec 41 §7.4). */
final class SubnetRecords {
    private final SubnetView view;
    private final SubnetSnapshot snapshot;
    private final Fabric fabric;
    private final AliasGuids aliases;
    private final Supplier<List<SmInfo>> managers;
    private final int maxBytes;

    SubnetRecords(SubnetView view, AliasGuids aliases, Supplier<List<SmInfo>> managers, int maxBytes) {
        this.aliases = aliases;
        this.managers = managers;
        this.view = view;
        this.snapshot = view.snapshot();
        this.fabric = view.fabric();
        this.maxBytes = maxBytes;
    }

    /**
     * Goes through the end ports that a requester may see; through one only, if the request tells a LID, which may be
     * any one of the port's.
     *
     * @param lid the component with the LID
     * @param found gets the port index and the collector, until the answer is full
     */
    static <T extends BitStruct<T>> Mad collect(
            SubnetView view, Mad request, Requester from, Matcher<T> records, BitField lid, EndPortRecords<T> found) {
        Fabric fabric = view.fabric();
        int first = 0;
        int last = fabric.portCount() - 1;
        if (records.asks(lid.mask())) {
            first = fabric.portOfLid(records.asked().getInt(lid));
            last = first;
            records.settle(lid.mask());
        }
        for (int port = first; port != Fabric.NONE && port <= last && !records.isFull(); port++) {
            if (view.isEndPort(port) && (from.isTrusted() || view.share(from.port(), port))) {
                found.of(port, records);
            }
        }
        return records.answer(request);
    }

    /**
     * Makes the records that belong to an end port.
     *
     * @param <T> the record
     */
    @FunctionalInterface
    interface EndPortRecords<T extends BitStruct<T>> {
        /** Offers the records of an end port, and of what else its node has. */
        void of(int endPort, Matcher<T> records);
    }

    Mad nodes(Mad request, Requester from) {
        Matcher<NodeRecord> all = new Matcher<>(NodeRecord.TYPE, request, maxBytes);
        return collect(view, request, from, all, NodeRecord.LID, (port, records) -> {
            int node = fabric.nodeOf(port);
            NodeRecord record = NodeRecord.TYPE.create().set(NodeRecord.LID, fabric.lid(port));
            NodeInfo info =
                    record.nodeInfo().setAll(snapshot.nodeInfo(node)).set(NodeInfo.PORT_GUID, fabric.portGuid(port));
            if (!fabric.isSwitch(node)) {
                info.set(NodeInfo.LOCAL_PORT, fabric.portNumber(port));
            }
            record.nodeDescription().setText(NodeDescription.TEXT, fabric.rawDescription(node));
            records.offer(record);
        });
    }

    /** Goes through the ports of a switch, or takes the one of another node. */
    private void ports(int endPort, IntConsumer each) {
        int node = fabric.nodeOf(endPort);
        if (!fabric.isSwitch(node)) {
            each.accept(endPort);
            return;
        }
        for (int port = 0; port <= fabric.ports(node); port++) {
            each.accept(fabric.portIndex(node, port));
        }
    }

    Mad ports(Mad request, Requester from) {
        boolean bits = (request.modifier() & PortInfoRecord.MATCH_CAPABILITY_BITS) != 0;
        long capability = PortInfoRecord.LAYOUT.fields().stream()
                .filter(field -> field.name().equals(PortInfo.CAPABILITY_MASK.name()))
                .mapToLong(BitField::mask)
                .sum();
        long mask = request.saHeader().get(SaHeader.COMPONENT_MASK);
        PortInfoRecord asked = request.data(PortInfoRecord.TYPE);
        int wanted = bits && (mask & capability) != 0 ? asked.portInfo().getInt(PortInfo.CAPABILITY_MASK) : 0;
        Matcher<PortInfoRecord> all =
                new Matcher<>(PortInfoRecord.TYPE, asked, bits ? mask & ~capability : mask, maxBytes);
        // How to answer, not which port is asked for: the answer has them as the request does (spec 40 §5).
        int options = all.asks(PortInfoRecord.OPTIONS.mask()) ? asked.getInt(PortInfoRecord.OPTIONS) : 0;
        return collect(
                view,
                request,
                from,
                all,
                PortInfoRecord.LID,
                (endPort, records) -> ports(endPort, port -> {
                    Optional<PortInfo> info = snapshot.portInfo(port);
                    if (info.isEmpty() || !info.get().can(wanted)) {
                        return;
                    }
                    PortInfoRecord record = PortInfoRecord.TYPE
                            .create()
                            .set(PortInfoRecord.LID, fabric.lid(endPort))
                            .set(PortInfoRecord.PORT, fabric.portNumber(port))
                            .set(PortInfoRecord.OPTIONS, options);
                    record.portInfo().setAll(info.get());
                    if (!from.isTrusted()) {
                        record.portInfo().set(PortInfo.M_KEY, 0);
                    }
                    records.offer(record);
                }));
    }

    Mad switches(Mad request, Requester from) {
        Matcher<SwitchInfoRecord> all = new Matcher<>(SwitchInfoRecord.TYPE, request, maxBytes);
        return collect(
                view,
                request,
                from,
                all,
                SwitchInfoRecord.LID,
                (port, records) -> snapshot.switchInfo(fabric.nodeOf(port)).ifPresent(info -> {
                    SwitchInfoRecord record =
                            SwitchInfoRecord.TYPE.create().set(SwitchInfoRecord.LID, fabric.lid(port));
                    record.switchInfo().setAll(info);
                    records.offer(record);
                }));
    }

    Mad links(Mad request, Requester from) {
        Matcher<LinkRecord> all = new Matcher<>(LinkRecord.TYPE, request, maxBytes);
        return collect(
                view,
                request,
                from,
                all,
                LinkRecord.FROM_LID,
                (endPort, records) -> ports(endPort, port -> {
                    int peer = fabric.peer(port);
                    if (peer == Fabric.NONE) {
                        return;
                    }
                    int far = fabric.nodeOf(peer);
                    int farEnd = fabric.isSwitch(far) ? fabric.portIndex(far, 0) : peer;
                    if (view.isEndPort(farEnd) && (from.isTrusted() || view.share(from.port(), farEnd))) {
                        LinkRecord record = LinkRecord.TYPE
                                .create()
                                .set(LinkRecord.FROM_LID, fabric.lid(endPort))
                                .set(LinkRecord.FROM_PORT, fabric.portNumber(port))
                                .set(LinkRecord.TO_PORT, fabric.portNumber(peer))
                                .set(LinkRecord.TO_LID, fabric.lid(farEnd));
                        records.offer(
                                record, ifIts(farEnd, records.asked().getInt(LinkRecord.TO_LID), LinkRecord.TO_LID));
                    }
                }));
    }

    /** Returns the component of a LID if the LID is one of the port's: then it agrees, whichever the record has. */
    private long ifIts(int port, int lid, BitField component) {
        return fabric.portOfLid(lid) == port ? component.mask() : 0;
    }

    /** P_Keys are for the trusted only. */
    Mad pKeys(Mad request, Requester from) {
        if (!from.isTrusted()) {
            return request.answer(MadStatus.SA_INVALID, 0);
        }
        Matcher<PKeyRecord> all = new Matcher<>(PKeyRecord.TYPE, request, maxBytes);
        return collect(
                view,
                request,
                from,
                all,
                PKeyRecord.LID,
                (endPort, records) -> ports(endPort, port -> {
                    List<Integer> keys = snapshot.pKeys(port);
                    for (int block = 0; block * PKeyTable.BLOCK < keys.size(); block++) {
                        PKeyRecord record = PKeyRecord.TYPE
                                .create()
                                .set(PKeyRecord.LID, fabric.lid(endPort))
                                .set(PKeyRecord.PORT, fabric.portNumber(port))
                                .set(PKeyRecord.BLOCK, block);
                        int end = Math.min(keys.size(), (block + 1) * PKeyTable.BLOCK);
                        for (int i = block * PKeyTable.BLOCK; i < end; i++) {
                            record.table().set(PKeyTable.KEYS, i % PKeyTable.BLOCK, keys.get(i));
                        }
                        records.offer(record, view.ignoredOf(port, PKeyRecord.PORT));
                    }
                }));
    }

    /** As they shall be, all blocks that ports have. */
    Mad guids(Mad request, Requester from) {
        Matcher<GuidInfoRecord> all = new Matcher<>(GuidInfoRecord.TYPE, request, maxBytes);
        return collect(view, request, from, all, GuidInfoRecord.LID, (port, records) -> {
            int capacity = AliasGuids.capacity(view, port);
            for (int block = 0; block * PortGuids.BLOCK < capacity; block++) {
                GuidInfoRecord record = GuidInfoRecord.TYPE
                        .create()
                        .set(GuidInfoRecord.LID, fabric.lid(port))
                        .set(GuidInfoRecord.BLOCK, block);
                aliases.fill(fabric.portGuid(port), block, record.table());
                records.offer(record);
            }
        });
    }

    /** As they last said of themselves, not as the sweep found them; their keys are for the trusted. */
    Mad managers(Mad request, Requester from) {
        Matcher<SmInfoRecord> records = new Matcher<>(SmInfoRecord.TYPE, request, maxBytes);
        for (SmInfo manager : managers.get()) {
            int port = view.portOfGuid(manager.get(SmInfo.GUID));
            if (port != Fabric.NONE) {
                offer(records, port, manager, from);
            }
        }
        return records.answer(request);
    }

    private void offer(Matcher<SmInfoRecord> records, int port, SmInfo info, Requester from) {
        SmInfoRecord record = SmInfoRecord.TYPE.create().set(SmInfoRecord.LID, fabric.lid(port));
        record.smInfo().setAll(info);
        if (!from.isTrusted()) {
            record.smInfo().set(SmInfo.SM_KEY, 0);
        }
        records.offer(record, ifIts(port, records.asked().getInt(SmInfoRecord.LID), SmInfoRecord.LID));
    }
}
