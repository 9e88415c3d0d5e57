package org.railyard.lab.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.base.wire.Wire;
import org.railyard.base.yaml.Fields;
import org.railyard.base.yaml.Item;
import org.railyard.selftest.api.TestSpec;
import org.railyard.selftest.wire.BrwRequest;
import org.railyard.selftest.wire.Pattern;
import org.railyard.selftest.wire.TestParameters;
import org.railyard.selftest.wire.TestRequest;

/** What a scenario lets selftest do. */
final class SelftestSection {
    private static final long SECOND = 1_000_000_000L;
    private static final long MAX_TIMEOUT = 3600 * SECOND;
    private static final long DEFAULT_TIMEOUT = 64 * SECOND;
    private static final int MAX_CONCURRENCY = 64;
    private static final int DEFAULT_SIZE = 4096;

    private final Map<String, Scenario.Group> groups;
    private final long maxTime;

    private SelftestSection(Map<String, Scenario.Group> groups, long maxTime) {
        this.groups = groups;
        this.maxTime = maxTime;
    }

    /**
     * Reads the section, or notes what is wrong with it.
     *
     * @param maxTime longest time, ns
     */
    static SelftestPlan read(Item item, Map<String, Scenario.Group> groups, long maxTime) {
        Fields fields = Values.fields(item, "console", "rpc_timeout", "tests");
        SelftestSection section = new SelftestSection(groups, maxTime);
        Selector console = section.selector(fields, "console");
        Scenario.Group group = groups.get(console.group());
        Item place = fields.get("console");
        if (place != null && group != null && console.number() == 0 && console.count() != 1 && group.count() != 1) {
            place.expected("one node");
        }
        List<SelftestPlan.Test> tests = new ArrayList<>();
        Item list = fields.require("tests");
        if (list != null) {
            Values.items(list).forEach(each -> tests.add(section.test(each)));
        }
        long timeout = Values.quantity(fields, "rpc_timeout", DEFAULT_TIMEOUT, Units.TIME, SECOND, MAX_TIMEOUT);
        return new SelftestPlan(console, (int) (timeout / SECOND), tests);
    }

    private Selector selector(Fields fields, String name) {
        Item item = fields.require(name);
        return item == null ? new Selector("", 0, 0) : FaultReader.selector(item, groups);
    }

    private SelftestPlan.Test test(Item item) {
        Fields fields = Values.fields(item, "from", "to", "do", "size", "check", "concurrency", "start", "for");
        List<Integer> sizes = new ArrayList<>();
        Item size = fields.get("size");
        if (size != null) {
            Values.items(size).forEach(each -> sizes.add(size(each)));
        }
        if (sizes.isEmpty()) {
            sizes.add(DEFAULT_SIZE);
        }
        Pattern check = check(fields.get("check"));
        int concurrency = fields.number("concurrency", 1, 1, MAX_CONCURRENCY);
        List<TestSpec> specs = new ArrayList<>();
        Item what = fields.require("do");
        if (what != null) {
            for (Item each : Values.items(what)) {
                specs.addAll(specs(each, sizes, check, concurrency));
            }
        }
        Item start = fields.get("start");
        Item duration = fields.require("for");
        return new SelftestPlan.Test(
                selector(fields, "from"),
                selector(fields, "to"),
                specs,
                Values.span(start, new Span(SECOND, SECOND), Units.TIME, 0, maxTime),
                Values.span(duration, new Span(0, 0), Units.TIME, 0, maxTime));
    }

    private static int size(Item item) {
        int bytes = (int) Values.quantity(item, Units.SIZE, Long.BYTES, Wire.MTU);
        if (bytes % Long.BYTES != 0) {
            item.expected("a multiple of 8");
            return DEFAULT_SIZE;
        }
        return bytes;
    }

    private static Pattern check(@Nullable Item item) {
        String text = item == null ? "full" : item.text();
        return switch (text) {
            case "none" -> Pattern.NONE;
            case "simple" -> Pattern.SIMPLE;
            case "full" -> Pattern.FULL;
            default -> {
                if (item != null) {
                    item.expected("none, simple or full");
                }
                yield Pattern.FULL;
            }
        };
    }

    private static List<TestSpec> specs(Item item, List<Integer> sizes, Pattern check, int concurrency) {
        return switch (item.text()) {
            case "ping" -> List.of(TestSpec.ping("from", "to", TestRequest.FOR_EVER, concurrency, 1, 1));
            case "read" -> bulk(BrwRequest.READ, sizes, check, concurrency);
            case "write" -> bulk(BrwRequest.WRITE, sizes, check, concurrency);
            default -> {
                item.expected("ping, read or write");
                yield List.of();
            }
        };
    }

    private static List<TestSpec> bulk(int operation, List<Integer> sizes, Pattern check, int concurrency) {
        return sizes.stream()
                .map(bytes -> TestSpec.bulk(
                        "from",
                        "to",
                        TestRequest.FOR_EVER,
                        concurrency,
                        1,
                        1,
                        new TestParameters.Bulk(operation, check.number(), bytes, 0)))
                .toList();
    }
}
