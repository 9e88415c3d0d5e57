package org.railyard.lab.scenario;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.railyard.base.wire.Wire;
import org.railyard.base.yaml.Document;
import org.railyard.base.yaml.DocumentException;
import org.railyard.base.yaml.Fields;
import org.railyard.base.yaml.Findings;
import org.railyard.base.yaml.Item;
import org.railyard.base.yaml.Place;
import org.railyard.config.Configuration;
import org.railyard.lab.fabric.TorusSettings;
import org.railyard.lab.observe.CallKind;
import org.railyard.lnet.api.LNetConfig;

/** Reads a scenario and checks all of it. */
public final class ScenarioReader {
    /** Longest file, characters. */
    public static final int MAX_CHARACTERS = 1 << 20;

    /** Most nodes. */
    public static final int MAX_NODES = 10_000;

    private static final long SECOND = 1_000_000_000L;
    private static final long MAX_TIME = 24 * 3600 * SECOND;
    private static final int MAX_NAME = 12;

    /** Stands in for a configuration that is wrong. */
    private static final Configuration NOTHING = new Configuration(
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            null,
            1,
            LNetConfig.DEFAULT_CPU_PATTERN,
            List.of(),
            Configuration.Rest.NONE);

    private final Map<String, Scenario.Rail> rails = new LinkedHashMap<>();
    private final Map<String, Scenario.Group> groups = new LinkedHashMap<>();

    private ScenarioReader() {}

    /**
     * Reads a scenario.
     *
     * @param file its name, for messages
     * @param text YAML
     * @throws DocumentException if anything is wrong with it; tells all of it
     */
    public static Scenario read(String file, String text) throws DocumentException {
        Findings findings = new Findings(file);
        Place whole = findings.place(Optional.empty());
        if (text.length() > MAX_CHARACTERS) {
            findings.error(whole, text.length() + " characters", "at most " + MAX_CHARACTERS);
            findings.throwIfAny();
        }
        Item document = Document.read(text, findings);
        Scenario scenario = document == null ? null : new ScenarioReader().scenario(document);
        if (document == null && findings.errorCount() == 0) {
            findings.error(whole, "nothing", "a scenario");
        }
        findings.throwIfAny();
        return Objects.requireNonNull(scenario);
    }

    private Scenario scenario(Item document) {
        Fields fields = Values.fields(
                document,
                "name",
                "about",
                "rails",
                "nodes",
                "load",
                "selftest",
                "faults",
                "expect",
                "settle",
                "templates");
        Item railMap = fields.require("rails");
        if (railMap != null) {
            entries(railMap).forEach(this::rail);
        }
        Item nodeMap = fields.require("nodes");
        if (nodeMap != null) {
            entries(nodeMap).forEach(this::group);
            checkSize(nodeMap);
            checkPlaces(nodeMap);
        }
        List<Scenario.Load> loads = new ArrayList<>();
        Item load = fields.get("load");
        if (load != null) {
            Values.items(load).forEach(each -> loads.add(load(each)));
        }
        Optional<SelftestPlan> selftest =
                Optional.ofNullable(fields.get("selftest")).map(item -> SelftestSection.read(item, groups, MAX_TIME));
        List<Scenario.Fault> faults = new ArrayList<>();
        Item faultList = fields.get("faults");
        if (faultList != null) {
            FaultReader reader = new FaultReader(rails, groups);
            Values.items(faultList).forEach(each -> reader.read(each).ifPresent(faults::add));
        }
        Item expect = fields.get("expect");
        return new Scenario(
                Values.text(fields, "name", "unnamed"),
                Values.text(fields, "about", ""),
                List.copyOf(rails.values()),
                List.copyOf(groups.values()),
                loads,
                selftest,
                faults,
                expect(expect, loads.isEmpty()),
                Values.quantity(fields, "settle", 1800 * SECOND, Units.TIME, 0, MAX_TIME));
    }

    /** Returns the values of a mapping whose keys are names. */
    private static Map<String, Item> entries(Item item) {
        if (item.isEmpty()) {
            item.expected("a mapping with names as keys");
        }
        Map<String, Item> values = new LinkedHashMap<>();
        item.entries().forEach((name, entry) -> values.put(name, entry.value()));
        return values;
    }

    private void rail(String name, Item item) {
        checkName(name, item);
        rails.put(name, RailSection.read(name, item, 10 << 24 | rails.size() + 1 << 16));
    }

    private static void checkName(String name, Item item) {
        if (!name.matches("[a-zA-Z][a-zA-Z0-9_]*") || name.length() > MAX_NAME) {
            item.found("the name '" + name + "'", "a letter, then letters, digits and _, at most " + MAX_NAME);
        }
    }

    private void group(String name, Item item) {
        checkName(name, item);
        Fields fields = Values.fields(item, "count", "devices", "config");
        Map<String, String> devices = new LinkedHashMap<>();
        Item deviceMap = fields.require("devices");
        if (deviceMap != null) {
            entries(deviceMap).forEach((device, rail) -> {
                if (!rails.containsKey(rail.text())) {
                    rail.expected("the name of a rail: " + String.join(", ", rails.keySet()));
                }
                devices.put(device, rail.text());
            });
        }
        Item config = fields.require("config");
        if (config != null) {
            int count = fields.number("count", 1, 1, MAX_NODES);
            Configuration read = NodeSection.read(config, devices, rails);
            groups.put(name, new Scenario.Group(name, count, devices, read == null ? NOTHING : read));
        }
    }

    private void checkSize(Item item) {
        long nodes = groups.values().stream().mapToLong(Scenario.Group::count).sum();
        if (nodes > MAX_NODES) {
            item.found(nodes + " nodes", "at most " + MAX_NODES);
        }
    }

    /** Checks that there are places for all cards, and that no node is on two fabrics. */
    private void checkPlaces(Item item) {
        Map<String, Long> cards = new LinkedHashMap<>();
        for (Scenario.Group group : groups.values()) {
            Set<String> fabrics = new LinkedHashSet<>();
            for (String name : group.devices().values()) {
                Scenario.Rail rail = rails.get(name);
                if (rail != null && rail.torus() != null) {
                    fabrics.add(name);
                    cards.merge(name, (long) group.count(), Long::sum);
                }
            }
            if (fabrics.size() > 1) {
                item.found(
                        group.name() + " with cards on " + String.join(" and ", fabrics), "one fabric for each node");
            }
        }
        cards.forEach((name, count) -> {
            Scenario.Rail rail = rails.get(name);
            TorusSettings torus = rail == null ? null : rail.torus();
            if (torus != null && count > torus.cards()) {
                item.found(count + " cards on " + name, "at most " + torus.cards() + ", its places");
            }
        });
    }

    private Scenario.Load load(Item item) {
        Fields fields = Values.fields(item, "from", "to", "do", "size", "concurrency", "rate", "start", "for");
        List<CallKind> kinds = new ArrayList<>();
        Item what = fields.get("do");
        if (what != null) {
            Values.items(what).forEach(each -> kinds.add(kind(each)));
        }
        List<Span> sizes = new ArrayList<>();
        Item size = fields.get("size");
        if (size != null) {
            Values.items(size).forEach(each -> sizes.add(Values.span(each, Units.SIZE, 0, Wire.MTU)));
        }
        Item start = fields.get("start");
        Item duration = fields.require("for");
        return new Scenario.Load(
                selector(fields, "from"),
                selector(fields, "to"),
                kinds.isEmpty() ? List.of(CallKind.PUT) : kinds,
                sizes.isEmpty() ? List.of(new Span(4096, 4096)) : sizes,
                fields.number("concurrency", 1, 1, 65_536),
                (int) Values.quantity(fields, "rate", 0, Units.RATE, 0, 10_000_000),
                Values.span(start, new Span(0, 0), Units.TIME, 0, MAX_TIME),
                Values.span(duration, new Span(0, 0), Units.TIME, 0, MAX_TIME));
    }

    private static CallKind kind(Item item) {
        for (CallKind kind : CallKind.values()) {
            if (kind.text().equals(item.text())) {
                return kind;
            }
        }
        item.expected("put, get or bare-put");
        return CallKind.PUT;
    }

    private Selector selector(Fields fields, String name) {
        Item item = fields.require(name);
        return item == null ? new Selector("", 0, 0) : FaultReader.selector(item, groups);
    }

    private static Scenario.Expect expect(@Nullable Item item, boolean withoutLoad) {
        Scenario.Expect otherwise = Scenario.Expect.DEFAULT;
        long minOk = withoutLoad ? 0 : otherwise.minOk();
        if (item == null) {
            return new Scenario.Expect(
                    otherwise.allowFailures(),
                    otherwise.allowTimeouts(),
                    otherwise.healthRestored(),
                    otherwise.ownNisWell(),
                    minOk);
        }
        Fields fields =
                Values.fields(item, "allow_failures", "allow_timeouts", "health_restored", "own_nis_well", "min_ok");
        Item least = fields.get("min_ok");
        return new Scenario.Expect(
                Values.bool(fields, "allow_failures", otherwise.allowFailures()),
                Values.bool(fields, "allow_timeouts", otherwise.allowTimeouts()),
                Values.bool(fields, "health_restored", otherwise.healthRestored()),
                Values.bool(fields, "own_nis_well", otherwise.ownNisWell()),
                least == null ? minOk : least.number(0, Long.MAX_VALUE).orElse(minOk));
    }
}
