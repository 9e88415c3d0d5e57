package org.railyard.lab.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.railyard.base.yaml.Fields;
import org.railyard.base.yaml.Item;
import org.railyard.fabric.model.FabricException;
import org.railyard.fabric.sim.SimSettings;
import org.railyard.lab.fabric.TorusSettings;
import org.railyard.lab.net.RailSettings;
import org.railyard.softverbs.net.SoftSettings;

/** A rail in a scenario: a simple network, or an InfiniBand torus. */
final class RailSection {
    private static final long SECOND = 1_000_000_000L;
    private static final long DEFAULT_SWEEP = 200_000_000L;
    private static final int MAX_HOSTS = 64;

    /** A packet of 4 KiB with its headers. */
    private static final int MIN_BUFFER = 4160;

    private static final int DIMENSIONS = 3;
    private static final List<String> OF_NETWORKS = List.of("latency", "jitter", "bandwidth", "duplicate", "isolated");
    private static final List<String> OF_FABRICS = List.of("hosts", "engine", "sweep", "fidelity", "buffers");

    private RailSection() {}

    /**
     * Reads a rail, or notes what is wrong with it.
     *
     * @param subnet the address before that of its first device, unless it says another
     */
    static Scenario.Rail read(String name, Item item, int subnet) {
        Fields fields = Values.fields(
                item,
                "latency",
                "jitter",
                "bandwidth",
                "loss",
                "duplicate",
                "isolated",
                "subnet",
                "torus",
                "hosts",
                "engine",
                "sweep",
                "fidelity",
                "buffers");
        Item torus = fields.get("torus");
        (torus == null ? OF_FABRICS : OF_NETWORKS).forEach(key -> {
            Item stray = fields.get(key);
            if (stray != null) {
                stray.found(
                        "'" + key + "' " + (torus == null ? "without" : "with") + " 'torus'",
                        torus == null ? "it on a rail with 'torus' only" : "it on a rail without 'torus' only");
            }
        });
        RailSettings otherwise = RailSettings.DEFAULT;
        RailSettings settings = new RailSettings(
                Values.quantity(fields, "latency", otherwise.latencyNanos(), Units.TIME, 0, 10 * SECOND),
                Values.quantity(fields, "jitter", otherwise.jitterNanos(), Units.TIME, 0, 10 * SECOND),
                Values.quantity(fields, "bandwidth", otherwise.bitsPerSecond(), Units.BANDWIDTH, 0, 1_000_000_000_000L),
                Values.share(fields, "loss", 0),
                Values.share(fields, "duplicate", 0));
        Item given = fields.get("subnet");
        return new Scenario.Rail(
                name,
                settings,
                torus != null || Values.bool(fields, "isolated", false),
                given == null ? subnet : subnet(given),
                torus == null ? null : torus(torus, fields));
    }

    private static int subnet(Item item) {
        String[] parts = item.text().split("\\.", -1);
        int address = 0;
        for (String part : parts) {
            int number = part.matches("[0-9]{1,3}") ? Integer.parseInt(part) : -1;
            if (parts.length != 4 || number < 0 || number > 255) {
                item.expected("an IPv4 address that ends with 0.0, such as 10.1.0.0");
                return 0;
            }
            address = address << 8 | number;
        }
        if ((address & 0xffff) != 0) {
            item.expected("an IPv4 address that ends with 0.0, such as 10.1.0.0");
        }
        return address;
    }

    private static @Nullable TorusSettings torus(Item item, Fields fields) {
        List<Integer> radices = new ArrayList<>();
        for (String part : item.text().split("x", -1)) {
            radices.add(part.matches("[0-9]{1,2}") ? Integer.parseInt(part) : 0);
        }
        while (radices.size() < DIMENSIONS) {
            radices.add(1);
        }
        int hosts = fields.number("hosts", 1, 1, MAX_HOSTS);
        TorusSettings.Engine engine =
                choice(fields.get("engine"), TorusSettings.Engine.values(), TorusSettings.Engine::text);
        TorusSettings.Fidelity fidelity =
                choice(fields.get("fidelity"), TorusSettings.Fidelity.values(), TorusSettings.Fidelity::text);
        long sweep = Values.quantity(fields, "sweep", DEFAULT_SWEEP, Units.TIME, 1, 3600 * SECOND);
        long buffers = Values.quantity(
                fields, "buffers", SoftSettings.DEFAULT.bufferBytes(), Units.SIZE, MIN_BUFFER, SimSettings.MAX_BUFFER);
        try {
            TorusSettings settings = new TorusSettings(radices, hosts, engine, sweep, fidelity, (int) buffers);
            if (settings.cards() > TorusSettings.MAX_CARDS) {
                item.found(settings.cards() + " places for cards", "at most " + TorusSettings.MAX_CARDS);
                return null;
            }
            return settings;
        } catch (FabricException e) {
            item.found("'" + item.text() + "': " + e.getMessage(), "a shape such as 3x3x3 or 5x6");
            return null;
        }
    }

    /** Returns what an item names; the first of all if there is none. */
    private static <T> T choice(@Nullable Item item, T[] all, Function<T, String> text) {
        if (item == null) {
            return all[0];
        }
        List<String> names = new ArrayList<>();
        for (T each : all) {
            if (text.apply(each).equals(item.text())) {
                return each;
            }
            names.add(text.apply(each));
        }
        item.expected("one of " + String.join(", ", names));
        return all[0];
    }
}
