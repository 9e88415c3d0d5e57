package org.railyard.lab.scenario;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.railyard.base.yaml.DocumentException;

/** The scenarios that come with the program. */
public final class Library {
    private static final List<String> NAMES = List.of(
            "rail-down",
            "flapping-rail",
            "one-way-loss",
            "slow-peer",
            "server-reboot",
            "dead-peers",
            "mixed-mr",
            "udsp-failover",
            "discovery-storm",
            "lossy-wire",
            "nic-failure-storm",
            "selftest",
            "two-routers",
            "router-failure",
            "asymmetric-routes",
            "router-chain",
            "router-farm",
            "mr-routers",
            "torus-switch-failure",
            "ib-storm",
            "bonded-rails");

    private Library() {}

    /** Returns their names. */
    public static List<String> names() {
        return NAMES;
    }

    /** Returns the YAML of a scenario, if there is one with that name. */
    public static Optional<String> text(String name) {
        if (!NAMES.contains(name)) {
            return Optional.empty();
        }
        try (InputStream in = Library.class.getResourceAsStream(name + ".yaml")) {
            if (in == null) {
                throw new IllegalStateException("the scenario " + name + " is not in the program");
            }
            return Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a scenario by its name. */
    public static Scenario scenario(String name) {
        try {
            return ScenarioReader.read(
                    name, text(name).orElseThrow(() -> new IllegalArgumentException("no scenario is called " + name)));
        } catch (DocumentException e) {
            throw new IllegalStateException("the scenario " + name + " of the program is wrong", e);
        }
    }
}
