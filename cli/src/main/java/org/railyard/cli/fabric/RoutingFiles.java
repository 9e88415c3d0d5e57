package org.railyard.cli.fabric;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.format.LftsDump;
import org.railyard.fabric.format.MulticastDump;
import org.railyard.fabric.format.PathSlFile;
import org.railyard.fabric.format.Sl2VlDump;
import org.railyard.fabric.format.SlVlFile;
import org.railyard.fabric.format.UnicastDump;
import org.railyard.fabric.live.LiveSubnet;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.Lids;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.MulticastTables;
import org.railyard.fabric.route.PathSls;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;
import org.railyard.fabric.torus.TorusEngine;
import org.railyard.fabric.torus.TorusOptions;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The dumps of one fabric: a directory, or files named one by one; each may be gzipped. */
final class RoutingFiles {
    private static final int MAX_SL = 15;

    /** The first SL of QoS level 1. */
    private static final int LEVEL_ONE = 8;

    /** In place of a port where there are several. */
    private static final int SEVERAL = -2;

    /** Most multicast groups that a line names. */
    private static final int MAX_NAMED = 5;

    @Parameters(arity = "0..1", paramLabel = "DIR", description = "Directory with the dumps, each plain or .gz.")
    private @Nullable Path directory;

    @Option(
            names = "--topology",
            paramLabel = "FILE",
            description = "In place of DIR/opensm-subnet.lst; - for standard input.")
    private @Nullable Path topology;

    @Option(names = "--guid2lid", paramLabel = "FILE", description = "LIDs, if the topology has none.")
    private @Nullable Path guid2lid;

    @Option(
            names = "--tables",
            paramLabel = "FILE",
            description = "In place of DIR/opensm-lfts.dump or DIR/opensm.fdbs.")
    private @Nullable Path tables;

    @Option(names = "--sl2vl", paramLabel = "FILE", description = "In place of DIR/opensm-sl2vl.dump or DIR/ibdm.slvl.")
    private @Nullable Path slToVl;

    @Option(names = "--path-sl", paramLabel = "FILE", description = "In place of DIR/ibdm.psl.")
    private @Nullable Path pathSl;

    @Option(names = "--sl", paramLabel = "N", description = "The same SL for every path, in place of a file.")
    private @Nullable Integer sl;

    @Option(names = "--multicast", paramLabel = "FILE", description = "In place of DIR/opensm.mcfdbs.")
    private @Nullable Path multicast;

    @Option(
            names = "--multicast-sl",
            paramLabel = "MLID=N",
            description = "SL of a multicast group, such as 0xC000=8; may be repeated. Default: 0.")
    private Map<String, Integer> multicastSls = new TreeMap<>();

    @Option(
            names = "--conf",
            paramLabel = "FILE",
            description = "torus-2QoS.conf: SLs of QoS level 1 (8 to 15) are those that torus-2QoS gives, and without"
                    + " DIR/ibdm.psl and --path-sl those of level 0, too. It is told where files, or --sl,"
                    + " have others.")
    private @Nullable Path conf;

    /** Whether the subnet administration told the SLs. */
    private boolean asked;

    /** Most end ports whose SLs are compared with those of a configuration, pair by pair. */
    private static final int MAX_COMPARED = 16_384;

    /** For picocli, which fills the fields. */
    RoutingFiles() {}

    /** Names a directory, and what else may be needed to understand it; topology and LIDs may lie elsewhere. */
    RoutingFiles(
            Path directory,
            @Nullable Path topology,
            @Nullable Path guid2lid,
            @Nullable Integer sl,
            @Nullable Path pathSl,
            @Nullable Path conf,
            Map<String, Integer> multicastSls) {
        this.directory = directory;
        this.topology = topology;
        this.guid2lid = guid2lid;
        this.sl = sl;
        this.pathSl = pathSl;
        this.conf = conf;
        this.multicastSls = multicastSls;
    }

    Fabric fabric(Consumer<String> warn) {
        if (directory != null && !Files.isDirectory(directory)) {
            throw new FabricInputException(
                    Files.exists(directory)
                            ? "%s: is a file, not a directory with dumps; name one, or give %s as --topology"
                                    .formatted(directory, directory)
                            : directory + ": no such directory");
        }
        Fabric fabric = Topology.read(need(topology, "the topology is", "--topology", "opensm-subnet.lst"), warn);
        Path lids = guid2lid == null ? find("guid2lid").orElse(null) : guid2lid;
        if (lids != null) {
            fabric = guid2lid == null && fabric.maxLid() != 0
                    ? Topology.withLmcs(fabric, lids)
                    : Topology.withLids(fabric, lids);
        }
        if (fabric.maxLid() == 0) {
            throw new FabricInputException("the topology has no LIDs: give --guid2lid");
        }
        return fabric;
    }

    /** Returns whether nothing is named at all. */
    boolean isEmpty() {
        return directory == null
                && !namesTables()
                && sl == null
                && pathSl == null
                && conf == null
                && multicastSls.isEmpty();
    }

    /** Returns whether files are named that a running subnet takes the place of. */
    boolean namesTables() {
        return Stream.of(topology, guid2lid, tables, slToVl, multicast).anyMatch(Objects::nonNull);
    }

    /**
     * Returns the tables of a running subnet; SLs are those that the subnet administration told, or of the options.
     *
     * @throws FabricInputException if something that is needed was not read
     */
    Routing routing(LiveSubnet live) {
        if (directory != null || namesTables()) {
            throw new FabricInputException(
                    "--live excludes DIR, --topology, --guid2lid, --tables, --sl2vl and --multicast");
        }
        if (!live.unread().isEmpty()) {
            throw new FabricInputException("not all of the running subnet was read; parts missing: %d"
                    .formatted(live.unread().size()));
        }
        return new Routing(
                "live",
                live.forwarding()
                        .orElseThrow(() -> new FabricInputException(
                                "no forwarding tables: give the output of dump_fts or saquery LFTR, too")),
                liveSls(live),
                live.slToVl()
                        .orElseThrow(() ->
                                new FabricInputException("no SL to VL tables: give the output of saquery SL2VL, too")),
                withSls(live.multicast().orElse(MulticastTables.NONE), "the subnet"),
                List.of());
    }

    private PathSls liveSls(LiveSubnet live) {
        Optional<PathSls> told = live.sls();
        Path torus = conf;
        asked = told.isPresent() && sl == null;
        if (!asked) {
            if (sl == null && pathSl == null && torus == null) {
                throw new FabricInputException(
                        "SLs of paths are not known: give --conf, --path-sl or --sl, or ask for them with --ask-sls");
            }
            return sls(live.fabric());
        }
        PathSls answered = told.orElseThrow();
        return torus == null ? answered : new TwoLevelSls(live.fabric(), answered, torusSls(live.fabric(), torus));
    }

    private static MulticastTables sameWith(MulticastTables groups, Map<Integer, Integer> sls) {
        SortedMap<Integer, MulticastTables.Tree> trees = new TreeMap<>();
        for (int mlid : groups.mlids()) {
            MulticastTables.Tree tree = groups.tree(mlid);
            if (tree != null) {
                trees.put(mlid, tree.withSl(sls.getOrDefault(mlid, tree.sl())));
            }
        }
        return new MulticastTables(trees);
    }

    private MulticastTables withSls(MulticastTables groups, String origin) {
        Map<Integer, Integer> sls = groupSls();
        for (int mlid : sls.keySet()) {
            if (groups.tree(mlid) == null) {
                throw new FabricInputException("--multicast-sl 0x%04X=%d: %s has no such multicast group"
                        .formatted(mlid, sls.get(mlid), origin));
            }
        }
        return sameWith(groups, sls);
    }

    Routing routing(Fabric fabric) {
        return routing(fabric, sls(fabric));
    }

    /** Returns the tables for somebody who compares no SLs: they may be missing, and are then 0. */
    Routing routingWithoutSls(Fabric fabric) {
        boolean named = sl != null || conf != null || hasSlFile();
        return routing(fabric, named ? sls(fabric) : PathSls.constant(0));
    }

    private Routing routing(Fabric fabric, PathSls sls) {
        return new Routing("files", forwarding(fabric), sls, slToVl(fabric), multicast(fabric), List.of());
    }

    private ForwardingTables forwarding(Fabric fabric) {
        Path file = need(tables, "forwarding tables are", "--tables", "opensm-lfts.dump", "opensm.fdbs");
        return TextFile.stream(
                file,
                "forwarding tables: opensm-lfts.dump or opensm.fdbs",
                text -> TextFile.startsWith(text, "dump_ucast_routes:")
                        ? UnicastDump.parse(text, fabric)
                        : LftsDump.parse(text, fabric));
    }

    private SlToVl slToVl(Fabric fabric) {
        Path file = need(slToVl, "SL to VL tables are", "--sl2vl", "opensm-sl2vl.dump", "ibdm.slvl");
        return TextFile.parse(
                file,
                "SL to VL tables: opensm-sl2vl.dump or ibdm.slvl",
                text -> text.stripLeading().startsWith("0x")
                        ? SlVlFile.parse(text, fabric)
                        : Sl2VlDump.parse(text, fabric));
    }

    private PathSls sls(Fabric fabric) {
        Integer everywhere = sl;
        if (everywhere != null) {
            if (everywhere < 0 || everywhere > MAX_SL) {
                throw new FabricInputException("--sl " + everywhere + ": expected 0 to " + MAX_SL);
            }
            return PathSls.constant(everywhere);
        }
        Path torus = conf;
        if (torus == null) {
            return fileSls(fabric);
        }
        PathSls both = torusSls(fabric, torus);
        return hasSlFile() ? new TwoLevelSls(fabric, fileSls(fabric), both) : both;
    }

    private boolean hasSlFile() {
        return pathSl != null || find("ibdm.psl").isPresent();
    }

    private PathSls fileSls(Fabric fabric) {
        Path file = slFile();
        // A fabric without hosts has paths of no CA: its file is empty.
        return fabric.nodeCount() == fabric.switchCount()
                ? TextFile.parseEvenEmpty(file, text -> PathSlFile.parse(text, fabric))
                : TextFile.stream(
                        file,
                        "SLs of paths: a source, a destination and an SL a line",
                        text -> PathSlFile.parse(text, fabric));
    }

    /**
     * Says why there is one QoS level only in the SLs of {@link #routing}, and what would tell the other; empty if both
     * are known.
     */
    Optional<String> oneLevelOnly(PathSls used) {
        if (used.levels() > 1) {
            return Optional.empty();
        }
        return Optional.of(
                sl != null
                        ? "--sl gives the same SL to every path, whatever the QoS level"
                        : slOrigin() + " holds SLs of one QoS level only; give --conf FILE, the torus-2QoS.conf");
    }

    /**
     * Says which SLs the paths of a fabric have, and what is not known: SLs of level 1 that are in no file, and those
     * of multicast groups.
     *
     * @param used the SLs of {@link #routing}
     * @param switchPorts whether port 0 of switches sends and receives, too
     * @param groups the multicast tables that are checked
     */
    List<String> scope(Fabric fabric, PathSls used, boolean switchPorts, MulticastTables groups) {
        List<String> lines = new ArrayList<>();
        BitSet found = slsOf(fabric, used, switchPorts);
        String sls = "SLs checked: " + (found.isEmpty() ? "none" : ranges(found));
        boolean lacksLevelOne = sl == null && used.levels() == 1 && !found.isEmpty() && found.length() <= LEVEL_ONE;
        lines.add(
                lacksLevelOne
                        ? sls
                                + "; QoS level 1 (SL 8 to 15) is not checked: %s holds none of its SLs; for torus-2QoS give --conf"
                                        .formatted(slOrigin())
                        : sls);
        List<String> assumed = groups.mlids().stream()
                .filter(mlid -> !groupSls().containsKey(mlid))
                .map("0x%04X"::formatted)
                .toList();
        if (!assumed.isEmpty()) {
            lines.add("multicast SL 0 assumed for %s%s; --multicast-sl MLID=N tells another"
                    .formatted(
                            String.join(", ", assumed.subList(0, Math.min(MAX_NAMED, assumed.size()))),
                            assumed.size() > MAX_NAMED ? " and %d more".formatted(assumed.size() - MAX_NAMED) : ""));
        }
        return lines;
    }

    /** Says that routes lead to LIDs that no port has, which nobody checks; empty if there are none. */
    Optional<String> strayRoutes(Fabric fabric, ForwardingTables used) {
        BitSet strays = new BitSet();
        byte[] ports = new byte[fabric.maxLid() + 1];
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            used.copyPorts(sw, 0, ports);
            for (int lid = 1; lid < ports.length; lid++) {
                if (ports[lid] != (byte) ForwardingTables.NO_PATH && fabric.portOfLid(lid) == Fabric.NONE) {
                    strays.set(lid);
                }
            }
        }
        return strays.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        ("warning: routes to %d LIDs that no port of the topology has are not checked, the first: LID"
                                        + " %d; if ports have several LIDs (LMC), --guid2lid tells which")
                                .formatted(strays.cardinality(), strays.nextSetBit(0)));
    }

    private static BitSet slsOf(Fabric fabric, PathSls used, boolean switchPorts) {
        Map<Integer, Integer> sources = new TreeMap<>();
        Map<Integer, Integer> destinations = new TreeMap<>();
        for (int lid = 1; lid <= fabric.maxLid(); lid++) {
            int port = fabric.portOfLid(lid);
            int its = port == Fabric.NONE ? -1 : used.classOf(lid);
            if (its >= 0 && (switchPorts || !fabric.isSwitch(fabric.nodeOf(port)))) {
                destinations.merge(its, port, RoutingFiles::theOne);
                if (lid == fabric.lid(port)) {
                    sources.merge(its, port, RoutingFiles::theOne);
                }
            }
        }
        BitSet found = new BitSet();
        for (int level = 0; level < used.levels(); level++) {
            for (Map.Entry<Integer, Integer> from : sources.entrySet()) {
                for (Map.Entry<Integer, Integer> to : destinations.entrySet()) {
                    boolean isItself =
                            from.getValue() != SEVERAL && from.getValue().equals(to.getValue());
                    int its = isItself ? PathSls.NO_SL : used.classSl(from.getKey(), to.getKey(), level);
                    if (its != PathSls.NO_SL) {
                        found.set(its);
                    }
                }
            }
        }
        return found;
    }

    /** Of ports of a class: the port if it is one. */
    private static int theOne(int port, int other) {
        return port == other ? port : SEVERAL;
    }

    private static String ranges(BitSet numbers) {
        List<String> ranges = new ArrayList<>();
        int from = numbers.nextSetBit(0);
        while (from >= 0) {
            int end = numbers.nextClearBit(from);
            ranges.add(end - from == 1 ? Integer.toString(from) : from + " to " + (end - 1));
            from = numbers.nextSetBit(end);
        }
        return String.join(", ", ranges);
    }

    private String slOrigin() {
        return asked ? "the subnet administration" : slFile().toString();
    }

    private Path slFile() {
        return need(pathSl, "SLs of paths are", "--path-sl, --sl or --conf", "ibdm.psl");
    }

    private static PathSls torusSls(Fabric fabric, Path torus) {
        return new TorusEngine(EngineChoice.readConf(torus), TorusOptions.DEFAULT)
                .place(fabric)
                .map(placement -> TorusEngine.pathSls(fabric, placement))
                .orElseThrow(() -> new FabricInputException(
                        torus + ": no seed of it is in this fabric; is it the configuration of another one?"));
    }

    /**
     * Says where the SLs come from when {@code --conf} gives SLs, too: whether it agrees, or for how many pairs of
     * hosts it does not.
     *
     * @return empty without {@code --conf}, or if the SLs are its own
     * @throws FabricInputException if it is not the configuration of this fabric
     */
    Optional<String> slRemark(Fabric fabric, PathSls used) {
        Path torus = conf;
        if (torus == null || sl == null && !asked && !hasSlFile()) {
            return Optional.empty();
        }
        String origin = sl != null ? "--sl " + sl : slOrigin();
        List<Integer> hosts = new EndPortFinder(fabric).hosts();
        if (hosts.size() > MAX_COMPARED) {
            return Optional.of("SLs: those of %s; %s is compared with them up to %d end ports"
                    .formatted(origin, torus, MAX_COMPARED));
        }
        PathSls expected = torusSls(fabric, torus);
        long others = 0;
        String first = "";
        for (int from : hosts) {
            for (int to : hosts) {
                int found = from == to ? PathSls.NO_SL : used.sl(fabric.lid(from), fabric.lid(to), 0);
                int wanted = found == PathSls.NO_SL ? found : expected.sl(fabric.lid(from), fabric.lid(to), found);
                if (found != wanted) {
                    others++;
                    first = first.isEmpty()
                            ? "%s to %s: SL %d, by the configuration %s"
                                    .formatted(
                                            fabric.portName(from),
                                            fabric.portName(to),
                                            found,
                                            wanted == PathSls.NO_SL ? "none" : Integer.toString(wanted))
                            : first;
                }
            }
        }
        return Optional.of(
                others == 0
                        ? "SLs: those of %s; %s gives the same".formatted(origin, torus)
                        : "warning: SLs are those of %s; %s gives others for %d pairs of end ports, the first: %s"
                                .formatted(origin, torus, others, first));
    }

    private MulticastTables multicast(Fabric fabric) {
        Optional<Path> file = Optional.ofNullable(multicast).or(() -> find("opensm.mcfdbs"));
        Map<Integer, Integer> sls = groupSls();
        MulticastTables groups = file.map(
                        path -> TextFile.parseEvenEmpty(path, text -> MulticastDump.parse(text, fabric, sls)))
                .orElse(MulticastTables.NONE);
        for (int mlid : sls.keySet()) {
            if (groups.tree(mlid) == null) {
                throw new FabricInputException("--multicast-sl 0x%04X=%d: %s"
                        .formatted(
                                mlid,
                                sls.get(mlid),
                                file.map(path -> path + " has no such multicast group")
                                        .orElse("there is no opensm.mcfdbs, and no --multicast names one")));
            }
        }
        return groups;
    }

    private Map<Integer, Integer> groupSls() {
        Map<Integer, Integer> sls = new TreeMap<>();
        multicastSls.forEach((mlid, groupSl) -> sls.put(mlid(mlid), groupSl));
        return sls;
    }

    private int mlid(String text) {
        try {
            int mlid = Integer.decode(text);
            int groupSl = multicastSls.getOrDefault(text, 0);
            if (Lids.isMulticast(mlid) && groupSl >= 0 && groupSl <= MAX_SL) {
                return mlid;
            }
        } catch (NumberFormatException e) {
            throw new FabricInputException("--multicast-sl " + text + ": expected a multicast LID", e);
        }
        throw new FabricInputException("--multicast-sl " + text + "=" + multicastSls.get(text)
                + ": expected a multicast LID, 0xC000 to 0xFFFE, and an SL, 0 to 15");
    }

    private Path need(@Nullable Path named, String what, String option, String... names) {
        if (named != null) {
            return named;
        }
        for (String name : names) {
            Optional<Path> found = find(name);
            if (found.isPresent()) {
                return found.get();
            }
        }
        throw new FabricInputException("%s missing: no %s in %s; or give %s"
                .formatted(what, String.join(" or ", names), directory == null ? "no directory" : directory, option));
    }

    private Optional<Path> find(String name) {
        Path in = directory;
        return in == null ? Optional.empty() : TextFile.find(in, name);
    }
}
