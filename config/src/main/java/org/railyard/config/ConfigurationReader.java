package org.railyard.config;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.railyard.base.yaml.Fields;
import org.railyard.base.yaml.Findings;
import org.railyard.base.yaml.Item;

/** Reads a configuration section by section, in one pass that looks at everything. */
final class ConfigurationReader {
    private static final List<String> SECTIONS = List.of(
            "net",
            "peer",
            "udsp",
            "global",
            "numa",
            "java",
            "route",
            "bond",
            "o2ibs",
            "net_status",
            "routing",
            "buffers",
            "statistics",
            "ip2nets",
            "ping",
            "discover");

    private final Findings findings;
    private final NetSection nets;
    private final PeerSection peers;
    private final UdspSection rules;
    private final SettingsSection settings;
    private final Ip2NetsSection addresses;
    private final RouteSection routes = new RouteSection();
    private final O2ibsSection o2ibs = new O2ibsSection();
    private final BondSection bonds = new BondSection();

    ConfigurationReader(Findings findings, @Nullable Set<String> interfaces) {
        this.findings = findings;
        this.nets = new NetSection(findings, interfaces);
        this.peers = new PeerSection(findings);
        this.rules = new UdspSection(findings);
        this.settings = new SettingsSection(findings);
        this.addresses = new Ip2NetsSection(nets);
    }

    Configuration read(Item document) {
        Map<String, Item.Entry> sections = document.entries();
        sections.forEach(this::section);
        settings.check();
        return new Configuration(
                nets.nis(),
                peers.peers(),
                rules.rules(),
                settings.settings(),
                settings.profile(),
                settings.cpuPartitions(),
                settings.cpuPattern(),
                findings.warnings(),
                new Configuration.Rest(
                        routes.routes(),
                        routes.forwarding(),
                        addresses.rules(),
                        List.copyOf(sections.keySet()),
                        o2ibs.targets(),
                        o2ibs.statuses(),
                        bonds.bonds()));
    }

    private void section(String name, Item.Entry entry) {
        Item value = entry.value();
        switch (name) {
            case "net" -> nets.read(value);
            case "peer" -> peers.read(value);
            case "udsp" -> rules.read(value);
            case "global" -> settings.readGlobal(value);
            case "numa" -> settings.readNuma(value);
            case "java" -> settings.readJava(value);
            case "route" -> routes.readRoutes(value);
            case "bond" -> bonds.read(value);
            case "o2ibs" -> o2ibs.readTargets(value);
            case "net_status" -> o2ibs.readStatuses(value);
            case "routing" -> routes.readRouting(value);
            case "buffers" -> settings.readBuffers(value);
            case "statistics" -> {
                // Printed by export, and nothing that could be set.
            }
            case "ip2nets" -> addresses.read(value);
            case "ping", "discover" ->
                entry.key().unknownKey("a section of what is configured; what is to be done goes with --exec");
            default -> entry.key().unknownKey("one of the sections " + Fields.oneOf(name, SECTIONS));
        }
    }
}
