package org.railyard.lab.scenario;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.railyard.base.yaml.Fields;
import org.railyard.base.yaml.Item;

/** Reads the faults of a scenario. */
final class FaultReader {
    private static final long SECOND = 1_000_000_000L;
    private static final long MAX_TIME = 24 * 3600 * SECOND;
    private static final int MAX_TIMES = 10_000;

    /** Most switches or cables of one fault. */
    private static final int MAX_BROKEN = 1000;

    private static final Pattern CHOICE = Pattern.compile("(any|[0-9]{1,5} of) ([^ ]+)");
    private static final Pattern NUMBERED = Pattern.compile("(.+)-([0-9]{1,5})");
    private static final List<String> ACTIONS = List.of(
            "link_down",
            "unplug",
            "card_fails",
            "degrade",
            "switch_down",
            "cable_down",
            "rail_outage",
            "one_way",
            "reset",
            "loss_model",
            "slow",
            "kill",
            "crash",
            "stop");
    private static final List<String> TIMES = List.of("at", "for", "times", "every");

    private final Map<String, Scenario.Rail> rails;
    private final Map<String, Scenario.Group> groups;

    FaultReader(Map<String, Scenario.Rail> rails, Map<String, Scenario.Group> groups) {
        this.rails = rails;
        this.groups = groups;
    }

    Optional<Scenario.Fault> read(Item item) {
        Fields fields = Values.fields(
                item, Stream.concat(TIMES.stream(), ACTIONS.stream()).toArray(String[]::new));
        List<String> named = ACTIONS.stream().filter(fields.names()::contains).toList();
        Item at = fields.require("at");
        if (named.size() != 1) {
            item.found(
                    named.isEmpty() ? "no action" : String.join(" and ", named),
                    "one of " + String.join(", ", ACTIONS));
            return Optional.empty();
        }
        Item what = fields.require(named.getFirst());
        if (at == null || what == null) {
            return Optional.empty();
        }
        Item duration = fields.get("for");
        int times = fields.number("times", 1, 1, MAX_TIMES);
        Item every = fields.get("every");
        if (times > 1 && (every == null || duration == null)) {
            item.found("times without every and for", "all three");
        }
        return Optional.of(new Scenario.Fault(
                Values.span(at, Units.TIME, 0, MAX_TIME),
                duration == null ? null : Values.span(duration, Units.TIME, 0, MAX_TIME),
                times,
                Values.span(every, new Span(0, 0), Units.TIME, 0, MAX_TIME),
                action(named.getFirst(), what)));
    }

    private FaultAction action(String name, Item item) {
        return switch (name) {
            case "link_down" -> atDevices(item, this::device, FaultAction.LinkDown::new);
            case "unplug" -> atDevices(item, this::device, FaultAction.Unplug::new);
            case "card_fails" -> atDevices(item, this::card, FaultAction.CardFails::new);
            case "degrade" -> atDevices(item, this::card, FaultAction.Degrade::new);
            case "switch_down" -> {
                Fields fields = Values.fields(item, "rail", "switches");
                yield new FaultAction.SwitchDown(
                        fabric(fields.require("rail")), fields.number("switches", 1, 1, MAX_BROKEN));
            }
            case "cable_down" -> {
                Fields fields = Values.fields(item, "rail", "cables");
                yield new FaultAction.CableDown(
                        fabric(fields.require("rail")), fields.number("cables", 1, 1, MAX_BROKEN));
            }
            case "rail_outage" ->
                new FaultAction.RailOutage(rail(Values.fields(item, "rail").require("rail")));
            case "one_way" -> {
                Fields fields = Values.fields(item, "from", "to", "rail");
                Item rail = fields.get("rail");
                yield new FaultAction.OneWay(
                        nodes(fields, "from"), nodes(fields, "to"), rail == null ? null : rail(rail));
            }
            case "reset" -> {
                Fields fields = Values.fields(item, "from", "to");
                yield new FaultAction.Reset(nodes(fields, "from"), nodes(fields, "to"));
            }
            case "loss_model" -> {
                Fields fields = Values.fields(item, "rail", "loss", "duplicate", "latency");
                Item loss = fields.get("loss");
                Item duplicate = fields.get("duplicate");
                Item latency = fields.get("latency");
                String rail = rail(fields.require("rail"));
                Scenario.Rail known = rails.get(rail);
                if (known != null && known.torus() != null && (duplicate != null || latency != null)) {
                    item.found("duplicate or latency on a torus", "nothing but loss");
                }
                yield new FaultAction.LossModel(
                        rail,
                        loss == null ? null : Values.share(loss),
                        duplicate == null ? null : Values.share(duplicate),
                        latency == null ? null : Values.span(latency, Units.TIME, 0, 10 * SECOND));
            }
            case "slow" -> {
                Fields fields = Values.fields(item, "node", "delay");
                Item delay = fields.require("delay");
                yield new FaultAction.Slow(
                        nodes(fields, "node"), Values.span(delay, new Span(0, 0), Units.TIME, 0, 10 * SECOND));
            }
            case "kill" -> new FaultAction.Kill(nodes(Values.fields(item, "node"), "node"), true);
            case "crash" -> new FaultAction.Kill(nodes(Values.fields(item, "node"), "node"), false);
            default -> new FaultAction.Stop(nodes(Values.fields(item, "node"), "node"));
        };
    }

    /** Reads a fault of one device of each of some nodes. */
    private FaultAction atDevices(
            Item item, BiFunction<Fields, Selector, String> device, BiFunction<Selector, String, FaultAction> fault) {
        Fields fields = Values.fields(item, "node", "device");
        Selector nodes = nodes(fields, "node");
        return fault.apply(nodes, device.apply(fields, nodes));
    }

    private Selector nodes(Fields fields, String name) {
        Item item = fields.require(name);
        return item == null ? new Selector("", 0, 0) : selector(item, groups);
    }

    private String device(Fields fields, Selector nodes) {
        Item item = fields.require("device");
        Scenario.Group group = groups.get(nodes.group());
        if (item == null || group == null) {
            return "";
        }
        if (!group.devices().containsKey(item.text())) {
            item.expected("a device of " + group.name() + ": "
                    + String.join(", ", group.devices().keySet()));
        }
        return item.text();
    }

    /** Reads a device that is a card of a fabric. */
    private String card(Fields fields, Selector nodes) {
        String name = device(fields, nodes);
        Scenario.Group group = groups.get(nodes.group());
        Item item = fields.get("device");
        if (group != null && item != null && group.devices().containsKey(name)) {
            Scenario.Rail rail = rails.get(group.devices().get(name));
            if (rail != null && rail.torus() == null) {
                item.expected("a device on a rail with 'torus'");
            }
        }
        return name;
    }

    private String fabric(@Nullable Item item) {
        String name = rail(item);
        Scenario.Rail rail = rails.get(name);
        if (item != null && rail != null && rail.torus() == null) {
            item.expected("a rail with 'torus'");
        }
        return name;
    }

    private String rail(@Nullable Item item) {
        if (item == null) {
            return "";
        }
        if (!rails.containsKey(item.text())) {
            item.expected("the name of a rail: " + String.join(", ", rails.keySet()));
        }
        return item.text();
    }

    /** Reads which nodes are meant: {@code server}, {@code server-2}, {@code any server}, {@code 3 of server}. */
    static Selector selector(Item item, Map<String, Scenario.Group> groups) {
        String text = item.text();
        Matcher choice = CHOICE.matcher(text);
        Matcher numbered = NUMBERED.matcher(text);
        Selector found;
        if (choice.matches()) {
            String many = choice.group(1);
            int count = many.equals("any") ? 1 : Integer.parseInt(many.substring(0, many.indexOf(' ')));
            found = new Selector(choice.group(2), 0, count);
        } else if (numbered.matches()) {
            found = new Selector(numbered.group(1), Integer.parseInt(numbered.group(2)), 0);
        } else {
            found = new Selector(text, 0, 0);
        }
        Scenario.Group group = groups.get(found.group());
        if (group == null || found.number() > group.count() || found.count() > group.count() || isZero(found, text)) {
            item.expected("nodes such as GROUP, GROUP-1, any GROUP or 2 of GROUP, with a GROUP of "
                    + String.join(", ", groups.keySet()));
        }
        return found;
    }

    private static boolean isZero(Selector found, String text) {
        return found.number() == 0 && found.count() == 0 && !text.equals(found.group());
    }
}
