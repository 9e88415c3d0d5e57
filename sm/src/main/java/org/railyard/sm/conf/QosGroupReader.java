package org.railyard.sm.conf;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.railyard.fabric.model.NodeType;
import org.railyard.sm.conf.QosLines.Line;

/** Reads one port group of a QoS policy. */
final class QosGroupReader {
    private final QosLines lines;
    /** Empty if they are not known. */
    private final Optional<PartitionsConf> partitions;

    private String name = "";
    private final List<QosRange> guids = new ArrayList<>();
    private final Set<String> portNames = new TreeSet<>();
    private final List<QosRange> pKeys = new ArrayList<>();
    private final Set<NodeType> types = EnumSet.noneOf(NodeType.class);
    private boolean hasManager;

    QosGroupReader(QosLines lines, Optional<PartitionsConf> partitions) {
        this.lines = lines;
        this.partitions = partitions;
    }

    String name() {
        return name;
    }

    QosPortGroup group() {
        return new QosPortGroup(name, guids, portNames, pKeys, types, hasManager);
    }

    void read(Line line) {
        switch (line.key()) {
            case "name" -> name = line.value();
            case "use" -> line.value();
            case "port-guid" -> guids.addAll(lines.ranges(line, line.value(), -1));
            case "port-name" -> lines.parts(line, line.value()).forEach(port -> portName(line, port));
            case "pkey" -> pKeys.addAll(QosPolicyParser.pKeys(lines, line, line.value()));
            case "partition" -> lines.parts(line, line.value()).forEach(partition -> partition(line, partition));
            case "node-type" -> lines.parts(line, line.value()).forEach(type -> type(line, type));
            default -> throw line.fail("name, use, port-guid, port-name, pkey, partition, node-type or end-port-group");
        }
    }

    private void portName(Line line, String port) {
        int slash = port.lastIndexOf("/P");
        if (slash <= 0) {
            throw line.fail("ports as DESCRIPTION/P1");
        }
        portNames.add(port);
    }

    private void partition(Line line, String wanted) {
        if (partitions.isEmpty()) {
            return;
        }
        Partition found = partitions.get().partitions().stream()
                .filter(partition -> partition.name().equals(wanted))
                .findFirst()
                .orElseThrow(() -> line.fail("names of partitions that are there"));
        pKeys.add(new QosRange(found.key(), found.key()));
    }

    private void type(Line line, String type) {
        switch (type) {
            case "CA" -> types.add(NodeType.CA);
            case "SWITCH" -> types.add(NodeType.SWITCH);
            case "ROUTER" -> types.add(NodeType.ROUTER);
            case "ALL" -> types.addAll(EnumSet.allOf(NodeType.class));
            case "SELF" -> hasManager = true;
            default -> throw line.fail("CA, SWITCH, ROUTER, ALL or SELF");
        }
    }
}
