package org.railyard.sm.sa;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.Lids;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.PortMask;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;
import org.railyard.mad.sa.LinearForwardingRecord;
import org.railyard.mad.sa.MulticastForwardingRecord;
import org.railyard.mad.sa.SlToVlRecord;
import org.railyard.mad.sa.VlArbitrationRecord;
import org.railyard.mad.smp.LinearForwardingTable;
import org.railyard.mad.smp.Modifiers;
import org.railyard.mad.smp.MulticastForwardingTable;
import org.railyard.mad.wire.Mad;
import org.railyard.sm.model.SubnetSnapshot;

/** Records of the tables that switches and end ports were programmed with (spec 41 §7.4). */
final class TableRecords {
    private final SubnetView view;
    private final SubnetSnapshot snapshot;
    private final Fabric fabric;
    private final int maxBytes;

    TableRecords(SubnetView view, int maxBytes) {
        this.view = view;
        this.snapshot = view.snapshot();
        this.fabric = view.fabric();
        this.maxBytes = maxBytes;
    }

    Mad linear(Mad request, Requester from) {
        Matcher<LinearForwardingRecord> all = new Matcher<>(LinearForwardingRecord.TYPE, request, maxBytes);
        return SubnetRecords.collect(view, request, from, all, LinearForwardingRecord.LID, (port, records) -> {
            int node = fabric.nodeOf(port);
            if (fabric.isSwitch(node)) {
                snapshot.routing().ifPresent(routing -> linear(routing, node, records));
            }
        });
    }

    private void linear(Routing routing, int node, Matcher<LinearForwardingRecord> records) {
        for (int block = 0; block <= fabric.maxLid() / LinearForwardingTable.BLOCK; block++) {
            LinearForwardingRecord record = LinearForwardingRecord.TYPE
                    .create()
                    .set(LinearForwardingRecord.LID, fabric.lid(fabric.portIndex(node, 0)))
                    .set(LinearForwardingRecord.BLOCK, block);
            LinearForwardingTable table = record.table();
            for (int i = 0; i < LinearForwardingTable.BLOCK; i++) {
                int out = routing.forwarding().port(node, block * LinearForwardingTable.BLOCK + i);
                table.set(LinearForwardingTable.PORTS, i, out);
            }
            records.offer(record);
        }
    }

    /** Blocks that send nothing anywhere are left out. */
    Mad multicast(Mad request, Requester from) {
        Matcher<MulticastForwardingRecord> all = new Matcher<>(MulticastForwardingRecord.TYPE, request, maxBytes);
        return SubnetRecords.collect(view, request, from, all, MulticastForwardingRecord.LID, (port, records) -> {
            int node = fabric.nodeOf(port);
            if (fabric.isSwitch(node)) {
                snapshot.routing().ifPresent(routing -> multicast(routing.multicast(), node, records));
            }
        });
    }

    private void multicast(MulticastTables tables, int node, Matcher<MulticastForwardingRecord> records) {
        List<Integer> blocks = new ArrayList<>(new TreeSet<>(tables.mlids().stream()
                .map(mlid -> (mlid - Lids.MIN_MULTICAST) / MulticastForwardingTable.BLOCK)
                .toList()));
        for (int block : blocks) {
            for (int position = 0; position * MulticastForwardingTable.PORTS <= fabric.ports(node); position++) {
                MulticastForwardingRecord record = MulticastForwardingRecord.TYPE
                        .create()
                        .set(MulticastForwardingRecord.LID, fabric.lid(fabric.portIndex(node, 0)))
                        .set(MulticastForwardingRecord.BLOCK, block)
                        .set(MulticastForwardingRecord.POSITION, position);
                if (fill(record.table(), tables, node, block, position)) {
                    records.offer(record);
                }
            }
        }
    }

    private static boolean fill(
            MulticastForwardingTable table, MulticastTables tables, int node, int block, int position) {
        boolean any = false;
        for (int i = 0; i < MulticastForwardingTable.BLOCK; i++) {
            MulticastTables.Tree tree = tables.tree(Lids.MIN_MULTICAST + block * MulticastForwardingTable.BLOCK + i);
            if (tree == null) {
                continue;
            }
            PortMask ports = tree.ports(node);
            int mask = 0;
            for (int bit = 0; bit < MulticastForwardingTable.PORTS; bit++) {
                int port = position * MulticastForwardingTable.PORTS + bit;
                mask |= ports.contains(port) ? 1 << bit : 0;
            }
            table.set(MulticastForwardingTable.MASKS, i, mask);
            any |= mask != 0;
        }
        return any;
    }

    Mad slToVl(Mad request, Requester from) {
        Matcher<SlToVlRecord> all = new Matcher<>(SlToVlRecord.TYPE, request, maxBytes);
        return SubnetRecords.collect(
                view,
                request,
                from,
                all,
                SlToVlRecord.LID,
                (port, records) -> snapshot.routing().ifPresent(routing -> slToVl(routing.slToVl(), port, records)));
    }

    private void slToVl(SlToVl tables, int endPort, Matcher<SlToVlRecord> records) {
        int node = fabric.nodeOf(endPort);
        int lid = fabric.lid(endPort);
        if (!fabric.isSwitch(node)) {
            records.offer(
                    slToVl(lid, 0, 0, tables.endTable(endPort)),
                    view.ignoredOf(endPort, SlToVlRecord.IN_PORT) | view.ignoredOf(endPort, SlToVlRecord.OUT_PORT));
            return;
        }
        for (int in = 0; in <= fabric.ports(node); in++) {
            for (int out = 1; out <= fabric.ports(node); out++) {
                records.offer(slToVl(lid, in, out, tables.table(node, in, out)));
            }
        }
    }

    private static SlToVlRecord slToVl(int lid, int in, int out, long vls) {
        SlToVlRecord record = SlToVlRecord.TYPE
                .create()
                .set(SlToVlRecord.LID, lid)
                .set(SlToVlRecord.IN_PORT, in)
                .set(SlToVlRecord.OUT_PORT, out);
        record.table().setPacked(vls);
        return record;
    }

    Mad vlArbitration(Mad request, Requester from) {
        Matcher<VlArbitrationRecord> all = new Matcher<>(VlArbitrationRecord.TYPE, request, maxBytes);
        return SubnetRecords.collect(view, request, from, all, VlArbitrationRecord.LID, (endPort, records) -> {
            int node = fabric.nodeOf(endPort);
            int first = fabric.isSwitch(node) ? 0 : fabric.portNumber(endPort);
            int last = fabric.isSwitch(node) ? fabric.ports(node) : first;
            for (int number = first; number <= last; number++) {
                int port = fabric.portIndex(node, number);
                for (int block = Modifiers.LOW_FIRST; block <= Modifiers.HIGH_SECOND; block++) {
                    VlArbitrationRecord record = VlArbitrationRecord.TYPE
                            .create()
                            .set(VlArbitrationRecord.LID, fabric.lid(endPort))
                            .set(VlArbitrationRecord.OUT_PORT, number)
                            .set(VlArbitrationRecord.BLOCK, block);
                    snapshot.vlArbitration(port, block).ifPresent(table -> {
                        record.table().setAll(table);
                        records.offer(record, view.ignoredOf(port, VlArbitrationRecord.OUT_PORT));
                    });
                }
            }
        });
    }
}
