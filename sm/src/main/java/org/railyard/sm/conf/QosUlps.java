package org.railyard.sm.conf;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.railyard.sm.conf.QosLines.Line;

/** The short form of rules: protocols, each with an SL. */
final class QosUlps {
    private static final int MAX_SL = 15;
    private static final int MAX_PORT = 0xFFFF;
    private static final long SDP = 0x10000;
    private static final long RDMA_CM = 0x1060000;
    private static final long RDS_PORT = 0x48CA;
    private static final long ISER_PORT = 0x035C;
    private static final QosRange EVERY_PORT = new QosRange(0, MAX_PORT);
    private static final QosRange IPOIB_KEY = new QosRange(Partition.DEFAULT_KEY, Partition.DEFAULT_KEY);

    private final QosLines lines;
    private final List<QosRule> rules = new ArrayList<>();
    private @Nullable QosLevel standard;

    QosUlps(QosLines lines) {
        this.lines = lines;
    }

    List<QosRule> rules() {
        return rules;
    }

    Optional<QosLevel> standard() {
        return Optional.ofNullable(standard);
    }

    /** Reads {@code PROTOCOL[, PROPERTY VALUES] : SL}. */
    void rule(Line line) {
        QosLevel level = QosLevel.ofSl(line.key(), (int) QosLines.number(line, line.value(), MAX_SL), line);
        String key = line.key();
        int comma = key.indexOf(',');
        String protocol = (comma < 0 ? key : key.substring(0, comma)).strip();
        String property = comma < 0 ? "" : key.substring(comma + 1).strip();
        if (rules.size() == QosPolicy.MAX_ENTRIES) {
            throw line.fail("at most " + QosPolicy.MAX_ENTRIES + " rules");
        }
        switch (protocol) {
            case "default" -> {
                if (standard != null || !property.isEmpty()) {
                    throw line.fail("default once, with an SL alone");
                }
                standard = level;
            }
            case "sdp" -> services(level, SDP, ports(line, property, List.of(EVERY_PORT)));
            case "rds" -> services(level, RDMA_CM, ports(line, property, List.of(one(RDS_PORT))));
            case "iser" -> services(level, RDMA_CM, ports(line, property, List.of(one(ISER_PORT))));
            case "ipoib" -> {
                List<QosRange> keys = property.isEmpty()
                        ? List.of(IPOIB_KEY)
                        : QosPolicyParser.pKeys(lines, line, values(line, property, "pkey"));
                add(level, List.of(), keys, List.of());
            }
            case "srp" -> targets(level, line, values(line, property, "target-port-guid"));
            case "any" -> any(level, line, property);
            default -> throw line.fail("default, sdp, rds, iser, srp, ipoib or any");
        }
    }

    private static QosRange one(long number) {
        return new QosRange(number, number);
    }

    private static String values(Line line, String property, String name) {
        if (!property.startsWith(name + " ")) {
            throw line.fail(name + " and its values behind the comma");
        }
        return property.substring(name.length()).strip();
    }

    private List<QosRange> ports(Line line, String property, List<QosRange> otherwise) {
        return property.isEmpty() ? otherwise : lines.ranges(line, values(line, property, "port-num"), MAX_PORT);
    }

    private void any(QosLevel level, Line line, String property) {
        String name = property.split(" ", 2)[0];
        switch (name) {
            case "service-id" -> add(level, List.of(), List.of(), lines.ranges(line, values(line, property, name), -1));
            case "pkey" ->
                add(level, List.of(), QosPolicyParser.pKeys(lines, line, values(line, property, name)), List.of());
            case "target-port-guid" -> targets(level, line, values(line, property, name));
            default -> throw line.fail("service-id, pkey or target-port-guid behind the comma");
        }
    }

    private void targets(QosLevel level, Line line, String list) {
        List<QosRange> guids = lines.ranges(line, list, -1);
        add(level, List.of(new QosPortGroup(list, guids, Set.of(), List.of(), Set.of(), false)), List.of(), List.of());
    }

    private void services(QosLevel level, long base, List<QosRange> ports) {
        add(
                level,
                List.of(),
                List.of(),
                ports.stream()
                        .map(range -> new QosRange(base + range.from(), base + range.to()))
                        .toList());
    }

    private void add(QosLevel level, List<QosPortGroup> targets, List<QosRange> keys, List<QosRange> services) {
        rules.add(new QosRule(List.of(), targets, keys, List.of(), services, level));
    }
}
