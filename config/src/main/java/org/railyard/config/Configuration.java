package org.railyard.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.railyard.base.ErrnoException;
import org.railyard.base.yaml.Document;
import org.railyard.base.yaml.DocumentException;
import org.railyard.base.yaml.Findings;
import org.railyard.base.yaml.Item;
import org.railyard.base.yaml.Problem;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.NidPattern;

/**
 * The configuration of a node as its YAML says (spec 12 §5), checked as a whole: nets, peers, selection rules,
 * tunables. Immutable.
 *
 * <pre>{@code
 * Configuration config = Configuration.read("node.yaml", text);
 * LNet lnet = LNet.start(config.configure(LNetConfig.builder()).build());
 * config.finish(lnet);
 * }</pre>
 *
 * @param nis its NIs, in order
 * @param peers the peers that it knows by configuration
 * @param rules its selection rules, in the order of the file
 * @param settings node-wide tunables that the file names
 * @param profile the profile that the others are taken from, null if the file names none
 * @param cpuPartitions how many CPU partitions, 0 for as many as suit the machine
 * @param cpuPattern which CPUs they have
 * @param warnings what is odd in the file, and has no effect, whatever node it is for
 * @param rest routers, and what only a node in a service does with it
 */
public record Configuration(
        List<NiSpec> nis,
        List<PeerSpec> peers,
        List<RuleSpec> rules,
        List<SettingSpec> settings,
        @Nullable CompatProfile profile,
        int cpuPartitions,
        String cpuPattern,
        List<Problem> warnings,
        Rest rest) {
    /** Without anything. */
    public static final Configuration EMPTY = new Configuration(
            List.of(), List.of(), List.of(), List.of(), null, 0, LNetConfig.DEFAULT_CPU_PATTERN, List.of(), Rest.NONE);

    /**
     * What a file says of routers, and what only a node in a service does with it.
     *
     * @param routes ways to nets that the node is not on
     * @param forwarding whether it forwards messages of others, null if the file does not say
     * @param ip2nets rules that say which NIs there are by the addresses of the machine
     * @param sections the sections of the file, in order
     * @param targets at which addresses peers are to be reached
     * @param statuses nets of which the state of interfaces is asked for
     * @param bonds which NIDs belong together
     */
    public record Rest(
            List<RouteSpec> routes,
            @Nullable Boolean forwarding,
            List<Ip2NetSpec> ip2nets,
            List<String> sections,
            List<O2ibSpec> targets,
            List<Net> statuses,
            List<BondSpec> bonds) {
        /** Nothing. */
        public static final Rest NONE =
                new Rest(List.of(), null, List.of(), List.of(), List.of(), List.of(), List.of());

        /** Copies the collections. */
        public Rest {
            routes = List.copyOf(routes);
            ip2nets = List.copyOf(ip2nets);
            sections = List.copyOf(sections);
            targets = List.copyOf(targets);
            statuses = List.copyOf(statuses);
            bonds = List.copyOf(bonds);
        }
    }

    /** Copies the lists. */
    public Configuration {
        nis = List.copyOf(nis);
        peers = List.copyOf(peers);
        rules = List.copyOf(rules);
        settings = List.copyOf(settings);
        warnings = List.copyOf(warnings);
    }

    /**
     * Reads a configuration.
     *
     * @param file its name, for messages
     * @param text YAML, one document; nothing at all is a configuration without anything
     * @throws DocumentException if anything is wrong with it; tells all of it
     */
    public static Configuration read(String file, String text) throws DocumentException {
        return read(file, text, null);
    }

    /**
     * Reads a configuration for a machine.
     *
     * @param file its name, for messages
     * @param text YAML, one document; nothing at all is a configuration without anything
     * @param interfaces the interfaces of the machine; one that is not among them is wrong. Null to take all names
     * @throws DocumentException if anything is wrong with it; tells all of it
     */
    public static Configuration read(String file, String text, @Nullable Set<String> interfaces)
            throws DocumentException {
        Findings findings = new Findings(file);
        Item root = Document.read(text, findings);
        findings.throwIfAny();
        return read(root, findings, interfaces);
    }

    /**
     * Reads a configuration that is part of a larger document.
     *
     * @param part the mapping with the sections
     * @throws DocumentException if anything is wrong with it; tells all of it
     */
    public static Configuration read(Item part) throws DocumentException {
        Findings findings = new Findings(part.place().file());
        return read(part.notedIn(findings), findings, null);
    }

    private static Configuration read(@Nullable Item root, Findings findings, @Nullable Set<String> interfaces)
            throws DocumentException {
        if (root == null) {
            return EMPTY;
        }
        Configuration read = new ConfigurationReader(findings, interfaces).read(root);
        findings.throwIfAny();
        return read;
    }

    /**
     * Returns both together: this one, then the other, whose tunables, profile and CPU partitions win where both name
     * them. Whether they fit together is found out when they are applied.
     */
    public Configuration plus(Configuration later) {
        Map<Tunable, SettingSpec> merged = new LinkedHashMap<>();
        settings.forEach(each -> merged.put(each.tunable(), each));
        later.settings.forEach(each -> merged.put(each.tunable(), each));
        return new Configuration(
                joined(nis, later.nis),
                joined(peers, later.peers),
                joined(rules, later.rules),
                List.copyOf(merged.values()),
                later.profile == null ? profile : later.profile,
                later.cpuPartitions == 0 ? cpuPartitions : later.cpuPartitions,
                later.cpuPattern.equals(LNetConfig.DEFAULT_CPU_PATTERN) ? cpuPattern : later.cpuPattern,
                joined(warnings, later.warnings),
                new Rest(
                        joined(rest.routes, later.rest.routes),
                        later.rest.forwarding == null ? rest.forwarding : later.rest.forwarding,
                        joined(rest.ip2nets, later.rest.ip2nets),
                        joined(rest.sections, later.rest.sections),
                        joined(rest.targets, later.rest.targets),
                        joined(rest.statuses, later.rest.statuses),
                        joined(rest.bonds, later.rest.bonds)));
    }

    private static <T> List<T> joined(List<T> one, List<T> other) {
        List<T> all = new ArrayList<>(one);
        all.addAll(other);
        return all;
    }

    /**
     * Returns all that is odd and has no effect: also the rules for local nets that neither this configuration has nor
     * the node. Perhaps the net is misspelt. Where no net is known at all there is nothing to tell that by.
     *
     * @param there nets of the node that it is for; none if that is not known
     */
    public List<Problem> warningsFor(Collection<Net> there) {
        Set<Net> nets = new LinkedHashSet<>(there);
        nis.forEach(ni -> nets.add(ni.request().net()));
        rest.ip2nets().forEach(rule -> nets.add(rule.like().net()));
        List<Problem> all = new ArrayList<>(warnings);
        if (!nets.isEmpty()) {
            rules.stream()
                    .filter(each -> !speaksOfAny(each.rule().src(), nets))
                    .limit(Findings.MAX_TOLD)
                    .map(each -> new Problem(
                            each.place(),
                            "a rule for " + each.rule().src() + ", which orders nothing now",
                            there.isEmpty() ? "a net of this file" : "a net of this file or of the node"))
                    .forEach(all::add);
        }
        return all;
    }

    private static boolean speaksOfAny(@Nullable NidPattern src, Set<Net> nets) {
        return src == null || nets.stream().anyMatch(src.net()::matches);
    }

    /**
     * Returns the tunables in an order in which they go together in between if they do in the end, given those that
     * count now.
     */
    public List<SettingSpec> settingsFrom(Settings now) {
        return SettingsOrder.of(settings, now);
    }

    /**
     * Returns what the profile makes of tunables that the file does not name, those that it changes only.
     *
     * @param now the settings that count now
     * @throws ErrnoException ERANGE if the profile does not go with the others
     */
    public Map<Tunable, Integer> profileFrom(Settings now) {
        if (profile == null) {
            return Map.of();
        }
        Settings wanted = now.withProfile(profile);
        Map<Tunable, Integer> changes = new LinkedHashMap<>();
        for (Tunable each : Tunable.values()) {
            boolean isNamed = settings.stream().anyMatch(setting -> setting.tunable() == each);
            if (!isNamed && wanted.get(each) != now.get(each)) {
                changes.put(each, wanted.get(each));
            }
        }
        return changes;
    }

    /** Tells whether the file says how the CPUs are divided, which is fixed when a node starts. */
    public boolean namesCpus() {
        return cpuPartitions != 0 || !cpuPattern.equals(LNetConfig.DEFAULT_CPU_PATTERN);
    }

    /**
     * Returns the tunables of a node that is started with it.
     *
     * @throws ErrnoException ERANGE if the tunables of several files do not go together
     */
    public Settings settingsAtStart() {
        return SettingsOrder.apply(settings, profile, Settings.DEFAULT);
    }

    /**
     * Adds NIs, tunables and CPU partitions to what a node starts with. Peers and rules come when it runs: {@link
     * #finish}.
     *
     * @param builder replaced are its settings and the division of its CPUs, kept is the rest
     * @return the builder
     */
    public LNetConfig.Builder configure(LNetConfig.Builder builder) {
        tune(builder);
        nis.forEach(ni -> builder.ni(ni.request()));
        return builder;
    }

    /**
     * Adds only tunables and CPU partitions to what a node starts with; the rest comes with {@link #applyTo}, whose
     * refusals name the place in the file.
     *
     * @param builder replaced are its settings and the division of its CPUs, kept is the rest
     * @return the builder
     * @throws ErrnoException ERANGE if the tunables of several files do not go together
     */
    public LNetConfig.Builder tune(LNetConfig.Builder builder) {
        return builder.settings(settingsAtStart()).cpus(cpuPartitions, cpuPattern);
    }

    /**
     * Gives a node that was started with {@link #configure} its rules and peers.
     *
     * @throws ErrnoException what the node says, with the place in the file; what came before stays
     */
    public void finish(LNet lnet) {
        Applying on = new Applying(lnet);
        rest.bonds().forEach(on::bond);
        rules.forEach(on::rule);
        peers.forEach(on::peer);
        rest.routes().forEach(on::route);
        if (rest.forwarding() != null) {
            on.forwarding(rest.forwarding());
        }
    }

    /**
     * Applies all of it to a running node: tunables, nets, rules, peers. CPU partitions are fixed when a node starts;
     * so are some tunables, which have to be as they are.
     *
     * @throws ErrnoException what the node says, with the place in the file; what came before stays
     */
    public void applyTo(LNet lnet) {
        Applying on = new Applying(lnet);
        if (profile != null) {
            on.profile(profile);
        }
        SettingsOrder.of(settings, lnet.settings()).forEach(on::setting);
        nis.forEach(on::ni);
        finish(lnet);
    }
}
