package org.railyard.sm.conf;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.railyard.mad.sa.LinkRateCode;
import org.railyard.sm.conf.QosLines.Line;

/** Reads the sections of a QoS policy; what they say of each other is looked up at the end. */
final class QosPolicyParser {
    private static final int MAX_SL = 15;
    private static final int MAX_MTU = 5;
    private static final int MAX_RATE = 63;
    private static final int MAX_LIFE = 31;
    private static final int MAX_CLASS = 0xFFF;
    private static final int MAX_KEY = 0xFFFF;
    private static final int PARTITION = 0x7FFF;

    private final QosLines lines;
    private final Optional<PartitionsConf> partitions;
    private final Map<String, QosPortGroup> groups = new TreeMap<>();
    private final Map<String, QosLevel> levels = new TreeMap<>();
    private final List<Unbound> unbound = new ArrayList<>();
    private final List<ConfRemark> remarks = new ArrayList<>();
    private final QosUlps ulps;

    /** A rule with names in place of what they stand for. */
    private static final class Unbound {
        private final Line begin;
        private final List<QosRange> pKeys = new ArrayList<>();
        private final List<QosRange> classes = new ArrayList<>();
        private final List<QosRange> services = new ArrayList<>();
        private @Nullable Line sources;
        private @Nullable Line destinations;
        private @Nullable Line level;

        Unbound(Line begin) {
            this.begin = begin;
        }
    }

    QosPolicyParser(String text, Optional<PartitionsConf> partitions) {
        lines = new QosLines(text);
        this.partitions = partitions;
        ulps = new QosUlps(lines);
    }

    QosPolicy policy() {
        Line last = new Line(1, 1, "");
        while (!lines.atEnd()) {
            last = lines.next();
            section(last);
        }
        List<QosRule> rules = new ArrayList<>();
        unbound.forEach(rule -> rules.add(bound(rule)));
        rules.addAll(ulps.rules());
        QosLevel named = levels.get(QosLevel.DEFAULT);
        Optional<QosLevel> standard = named == null ? ulps.standard() : Optional.of(named);
        if (standard.isEmpty()) {
            throw last.fail("a level named " + QosLevel.DEFAULT + " in qos-levels, or default in qos-ulps");
        }
        return new QosPolicy(rules, standard, remarks);
    }

    private void section(Line line) {
        switch (line.text()) {
            case "port-groups" -> lines.section(line, each -> subsection(each, "port-group", this::group));
            case "qos-levels" -> lines.section(line, each -> subsection(each, "qos-level", this::level));
            case "qos-match-rules" -> lines.section(line, each -> subsection(each, "qos-match-rule", this::rule));
            case "qos-ulps" -> lines.section(line, ulps::rule);
            case "qos-setup" -> {
                remarks.add(new ConfRemark(
                        line.number(),
                        line.column(),
                        "qos-setup has no effect: SL to VL tables are the engine's, VL arbitration that of"
                                + " opensm.conf"));
                lines.section(line, _ -> {});
            }
            default -> throw line.fail("port-groups, qos-setup, qos-levels, qos-match-rules or qos-ulps");
        }
    }

    /** Reads one entry of a section. */
    private interface Entry {
        void read(Line begin);
    }

    private static void subsection(Line line, String name, Entry entry) {
        if (!line.text().equals(name)) {
            throw line.fail(name + " or the end of the section");
        }
        entry.read(line);
    }

    private static void checkNew(Line begin, Map<String, ?> known, String name) {
        if (name.isEmpty()) {
            throw begin.fail("a name: in it");
        }
        if (known.containsKey(name)) {
            throw begin.fail("a name: in it that no other one has");
        }
        if (known.size() == QosPolicy.MAX_ENTRIES) {
            throw begin.fail("at most " + QosPolicy.MAX_ENTRIES + " of them");
        }
    }

    private void group(Line begin) {
        QosGroupReader reader = new QosGroupReader(lines, partitions);
        lines.section(begin, reader::read);
        checkNew(begin, groups, reader.name());
        groups.put(reader.name(), reader.group());
    }

    private void level(Line begin) {
        String[] name = {""};
        int[] values = {-1, 0, 0, -1, 0};
        Line[] sl = {begin};
        lines.section(begin, line -> {
            switch (line.key()) {
                case "name" -> name[0] = line.value();
                case "use" -> line.value();
                case "sl" -> {
                    values[0] = (int) QosLines.number(line, line.value(), MAX_SL);
                    sl[0] = line;
                }
                case "mtu-limit" -> values[1] = (int) QosLines.number(line, line.value(), MAX_MTU);
                case "rate-limit" -> values[2] = rate(line);
                case "packet-life" -> values[3] = (int) QosLines.number(line, line.value(), MAX_LIFE);
                case "pkey" -> values[4] = (int) QosLines.number(line, line.value(), MAX_KEY);
                case "path-bits" ->
                    remarks.add(new ConfRemark(line.number(), line.column(), "path-bits has no effect"));
                default ->
                    throw line.fail(
                            "name, use, sl, mtu-limit, rate-limit, packet-life, path-bits, pkey or" + " end-qos-level");
            }
        });
        checkNew(begin, levels, name[0]);
        if (values[0] < 0) {
            throw begin.fail("sl: in it");
        }
        levels.put(
                name[0],
                new QosLevel(
                        name[0],
                        values[0],
                        values[1],
                        values[2],
                        values[3],
                        values[4],
                        sl[0].number(),
                        sl[0].column()));
    }

    private static int rate(Line line) {
        int code = (int) QosLines.number(line, line.value(), MAX_RATE);
        if (LinkRateCode.tenthsOfGigabits(code) == 0) {
            throw line.fail("the code of a rate: 2 for 2.5 Gb/s, 3 for 10 Gb/s, 6 for 20 Gb/s, 7 for 40 Gb/s, …");
        }
        return code;
    }

    private void rule(Line begin) {
        Unbound rule = new Unbound(begin);
        lines.section(begin, line -> {
            switch (line.key()) {
                case "use" -> line.value();
                case "source" -> rule.sources = line;
                case "destination" -> rule.destinations = line;
                case "pkey" -> rule.pKeys.addAll(pKeys(lines, line, line.value()));
                case "qos-class" -> rule.classes.addAll(lines.ranges(line, line.value(), MAX_CLASS));
                case "service-id" -> rule.services.addAll(lines.ranges(line, line.value(), -1));
                case "qos-level-name" -> rule.level = line;
                default ->
                    throw line.fail("use, source, destination, pkey, qos-class, service-id, qos-level-name or"
                            + " end-qos-match-rule");
            }
        });
        if (unbound.size() == QosPolicy.MAX_ENTRIES) {
            throw begin.fail("at most " + QosPolicy.MAX_ENTRIES + " rules");
        }
        unbound.add(rule);
    }

    /** Reads P_Keys; their topmost bit means nothing here. */
    static List<QosRange> pKeys(QosLines lines, Line line, String list) {
        List<QosRange> all = new ArrayList<>();
        for (QosRange range : lines.ranges(line, list, MAX_KEY)) {
            long from = range.from() & PARTITION;
            long to = range.to() & PARTITION;
            if (from > to) {
                throw line.fail("a range of P_Keys without the topmost bit");
            }
            all.add(new QosRange(from, to));
        }
        return all;
    }

    private QosRule bound(Unbound rule) {
        Line named = rule.level;
        if (named == null) {
            throw rule.begin.fail("qos-level-name: in it");
        }
        QosLevel level = levels.get(named.value());
        if (level == null) {
            throw named.fail("the name of a qos-level");
        }
        return new QosRule(
                groups(rule.sources), groups(rule.destinations), rule.pKeys, rule.classes, rule.services, level);
    }

    private List<QosPortGroup> groups(@Nullable Line line) {
        List<QosPortGroup> found = new ArrayList<>();
        if (line != null) {
            for (String name : lines.parts(line, line.value())) {
                QosPortGroup group = groups.get(name);
                if (group == null) {
                    throw line.fail("names of port-groups that are there");
                }
                found.add(group);
            }
        }
        return found;
    }
}
