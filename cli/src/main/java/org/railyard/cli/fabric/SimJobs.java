package org.railyard.cli.fabric;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.railyard.base.text.Doc;
import org.railyard.base.text.JsonText;
import org.railyard.base.text.TextColumns;
import org.railyard.cli.text.ResultFile;
import org.railyard.fabric.analysis.TorusLayout;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.sim.FabricSim;
import org.railyard.fabric.sim.SimSettings;
import org.railyard.fabric.sim.job.Collectives;
import org.railyard.fabric.sim.job.Job;
import org.railyard.fabric.sim.job.JobResult;
import org.railyard.fabric.sim.job.JobRun;
import org.railyard.fabric.sim.job.JobSettings;
import org.railyard.fabric.sim.job.MessageList;
import org.railyard.fabric.sim.traffic.Destinations;
import org.railyard.fabric.sim.traffic.LoadSettings;
import org.railyard.fabric.sim.traffic.TrafficPattern;
import org.railyard.fabric.sim.traffic.Upkeep;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Jobs in place of a load: options of {@code fabric sim}. */
final class SimJobs {
    private static final List<String> NAMES = List.of("all-to-all", "ring-allreduce", "halo", "pattern");
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,13})(KiB|MiB|GiB)?");
    private static final int STOPPED = 1;
    private static final int REFUSED = 3;
    private static final int STARVED = 4;

    /** Most hosts that are named. */
    private static final int MAX_NAMED = 8;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--job",
            paramLabel = "NAME",
            description = "A job in place of a load: all-to-all, ring-allreduce, halo (as the pattern), or pattern:"
                    + " --rounds messages of each host, by --pattern. Tells how long it takes, and with --fail also how"
                    + " long on the intact fabric.")
    private Optional<String> name = Optional.empty();

    @Option(
            names = "--matrix",
            paramLabel = "FILE",
            description = "A job of as many lines as there are hosts, with as many numbers: bytes from the host of the"
                    + " line to the host of the column; hosts by node GUID.")
    private Optional<Path> matrix = Optional.empty();

    @Option(
            names = "--messages",
            paramLabel = "FILE",
            description = "A job with a message a line: FROM TO BYTES, and a time such as 20us before which it is not"
                    + " sent. Hosts by description, GUID or LID.")
    private Optional<Path> messages = Optional.empty();

    @Option(
            names = "--bytes",
            paramLabel = "SIZE",
            defaultValue = "64KiB",
            description = "Jobs: length of a message; of ring-allreduce what each host has. Default: ${DEFAULT-VALUE}.")
    private String bytes = "";

    @Option(
            names = "--outstanding",
            paramLabel = "N",
            defaultValue = "4",
            description = "Jobs: messages of a host that may be under way at a time. Default: ${DEFAULT-VALUE}.")
    private int outstanding;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "1",
            description = "Jobs: how often, one after the other. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--retry-after",
            paramLabel = "TIME",
            defaultValue = "500us",
            description = "Jobs: from a loss to the time when what was lost is sent again. Default: ${DEFAULT-VALUE}.")
    private String retryAfter = "";

    @Option(
            names = "--retries",
            paramLabel = "N",
            defaultValue = "7",
            description = "Jobs: how often that is done, while no packet of a message arrives, before the job is given"
                    + " up. Default: ${DEFAULT-VALUE}.")
    private int retries;

    SimJobs() {}

    /**
     * What a job runs on.
     *
     * @param end when it ends in any case, ns
     */
    record Place(
            Fabric fabric,
            Routing routing,
            Optional<TorusLayout> layout,
            Destinations destinations,
            SimSettings settings,
            int mtu,
            long seed,
            long end) {}

    /** Tells whether a job is wanted; checks that one is. */
    boolean isWanted() {
        long named =
                Stream.of(name, matrix, messages).filter(Optional::isPresent).count();
        if (named > 1) {
            throw wrong("--job, --matrix and --messages exclude each other");
        }
        if (name.isPresent() && !NAMES.contains(name.get())) {
            throw wrong("--job " + name.get() + ": expected one of " + String.join(", ", NAMES));
        }
        return named > 0;
    }

    /**
     * Checks the options by themselves, and that all that are given count.
     *
     * @param mtu payload of packets
     * @throws ParameterException if one is out of range, or would be overlooked
     * @throws FabricInputException if a time is none
     */
    void requireSense(int mtu) {
        if (!isWanted()) {
            require(
                    List.of("--bytes", "--outstanding", "--rounds", "--retry-after", "--retries"),
                    "goes with --job, --matrix or --messages only");
            return;
        }
        require(List.of("--load", "--window"), "excludes --job, --matrix and --messages: a job has no load");
        if (name.isEmpty()) {
            require(List.of("--bytes", "--rounds"), "goes with --job only: a file has its own messages");
        } else {
            size();
        }
        if (rounds < 1) {
            throw wrong("--rounds " + rounds + ": expected 1 or more");
        }
        settings(mtu, JobSettings.MAX_NANOS);
    }

    /** Refuses options that are given. */
    private void require(List<String> options, String why) {
        for (String option : options) {
            if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
                throw wrong(option + " " + why);
            }
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private long size() {
        Matcher found = SIZE.matcher(bytes);
        if (found.matches()) {
            String unit = String.valueOf(found.group(2));
            int shift = switch (unit) {
                case "KiB" -> 10;
                case "MiB" -> 20;
                case "GiB" -> 30;
                default -> 0;
            };
            long size = Long.parseLong(found.group(1));
            if (size <= Collectives.MAX_BYTES >> shift) {
                return size << shift;
            }
        }
        throw wrong("--bytes %s: expected bytes such as 4096, 64KiB or 1MiB, at most %d GiB"
                .formatted(bytes, Collectives.MAX_BYTES >> 30));
    }

    /**
     * Runs the job, and if something fails also without that; returns the exit code.
     *
     * @param incidents what fails
     * @param gone cables, by their smaller port, that go down and stay so: hosts in them take no part
     */
    int run(Place place, SimIncidents.Plan incidents, BitSet gone, Optional<Path> json) throws IOException {
        Fabric fabric = place.fabric;
        int[] hosts = IntStream.range(0, place.destinations.hosts())
                .filter(host -> !isIn(gone, fabric, place.destinations.port(host)))
                .toArray();
        Job job = job(place, hosts);
        int[] ports = Arrays.stream(hosts).map(place.destinations::port).toArray();
        JobSettings settings = settings(place.mtu, place.end);
        PrintWriter out = spec.commandLine().getOut();
        header(place, hosts, out);
        JobResult intact =
                new JobRun(fabric, ports, job, place.settings, settings, Upkeep.none(fabric, place.routing)).run();
        Map<String, JobResult> results = new LinkedHashMap<>();
        results.put("intact", intact);
        Upkeep upkeep = incidents.upkeep();
        if (upkeep.nextNanos() != FabricSim.NEVER) {
            JobResult failed = new JobRun(fabric, ports, job, place.settings, settings, upkeep).run();
            results.put("with failures", failed);
        }
        tell(place, job, ports, results, out);
        if (json.isPresent()) {
            ResultFile.write(json.get(), document(place, job, ports, results));
        }
        return results.values().stream().mapToInt(SimJobs::status).max().orElse(0);
    }

    private static boolean isIn(BitSet cables, Fabric fabric, int port) {
        return cables.get(Math.min(port, fabric.cable(port)));
    }

    private JobSettings settings(int mtu, long end) {
        try {
            return new JobSettings(
                    mtu,
                    LoadSettings.HEADERS,
                    outstanding,
                    Math.max(1, SimTime.nanos("--retry-after", retryAfter)),
                    retries,
                    end);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /** Makes the job of these hosts, which are its ranks. */
    private Job job(Place place, int[] hosts) {
        int[] rankOf = new int[place.destinations.hosts()];
        Arrays.fill(rankOf, -1);
        for (int rank = 0; rank < hosts.length; rank++) {
            rankOf[hosts[rank]] = rank;
        }
        try {
            if (matrix.isPresent()) {
                Path file = matrix.get();
                return new MessageList(file.toString(), hosts.length, ofMatrix(file, rankOf));
            }
            if (messages.isPresent()) {
                Path file = messages.get();
                return new MessageList(file.toString(), hosts.length, recorded(file, place, rankOf));
            }
            return switch (name.orElseThrow()) {
                case "all-to-all" -> Collectives.allToAll(hosts.length, size(), rounds);
                case "ring-allreduce" -> Collectives.ringAllReduce(hosts.length, size(), rounds);
                case "halo" -> Collectives.exchange(neighbours(place, hosts, rankOf), size(), rounds);
                default -> new MessageList("pattern", hosts.length, byPattern(place, hosts, rankOf));
            };
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private static int[][] neighbours(Place place, int[] hosts, int[] rankOf) {
        Destinations halo = new Destinations(place.fabric, place.layout, TrafficPattern.HALO, 0);
        return Arrays.stream(hosts)
                .mapToObj(host -> Arrays.stream(halo.turns(host))
                        .map(other -> rankOf[other])
                        .filter(other -> other >= 0 && other != rankOf[host])
                        .toArray())
                .toArray(int[][]::new);
    }

    private List<MessageList.Message> byPattern(Place place, int[] hosts, int[] rankOf) {
        if ((long) hosts.length * rounds > MessageList.MAX_MESSAGES) {
            throw wrong("--rounds %d of %d hosts: expected at most %d messages"
                    .formatted(rounds, hosts.length, MessageList.MAX_MESSAGES));
        }
        SplittableRandom random = new SplittableRandom(place.seed);
        RandomGenerator[] dice = new RandomGenerator[rankOf.length];
        Arrays.setAll(dice, _ -> random.split());
        List<MessageList.Message> all = new ArrayList<>();
        long length = size();
        for (int host : hosts) {
            for (int i = 0; i < rounds; i++) {
                int to = place.destinations.next(host, i, dice[host]);
                if (to >= 0 && rankOf[to] >= 0) {
                    all.add(new MessageList.Message(rankOf[host], rankOf[to], length, 0));
                }
            }
        }
        return all;
    }

    /** Lines of words, but for empty ones and those that begin with #. */
    private static List<String[]> words(Path file, String expected) {
        return TextFile.parseOrPiped(
                file,
                expected,
                text -> text.lines()
                        .map(line -> line.replaceFirst("(?s)#.*", "").strip())
                        .map(line -> line.isEmpty() ? new String[0] : line.split("[\\s,]+"))
                        .toList());
    }

    private static long length(Path file, int line, String word) {
        if (!word.matches("[0-9]{1,13}") || Long.parseLong(word) > Collectives.MAX_BYTES) {
            throw new FabricInputException("%s:%d: found \"%s\", expected bytes, 0 to %d"
                    .formatted(TextFile.name(file), line, word, Collectives.MAX_BYTES));
        }
        return Long.parseLong(word);
    }

    private static List<MessageList.Message> ofMatrix(Path file, int[] rankOf) {
        List<String[]> lines = words(file, "a matrix of bytes");
        List<MessageList.Message> all = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < lines.size(); i++) {
            String[] row = lines.get(i);
            if (row.length == 0) {
                continue;
            }
            if (row.length != rankOf.length || from == rankOf.length) {
                throw new FabricInputException(
                        "%s:%d: found %d numbers in line %d of the matrix, expected %d lines of %d: one for each host"
                                .formatted(
                                        TextFile.name(file),
                                        i + 1,
                                        row.length,
                                        from + 1,
                                        rankOf.length,
                                        rankOf.length));
            }
            for (int to = 0; to < row.length; to++) {
                long length = length(file, i + 1, row[to]);
                if (length > 0 && from == to) {
                    throw new FabricInputException("%s:%d: found %d bytes from a host to itself, expected 0"
                            .formatted(TextFile.name(file), i + 1, length));
                }
                if (length > 0 && rankOf[from] >= 0 && rankOf[to] >= 0) {
                    all.add(new MessageList.Message(rankOf[from], rankOf[to], length, 0));
                }
            }
            from++;
        }
        if (from != rankOf.length) {
            throw new FabricInputException("%s: found %d lines, expected %d: one for each host"
                    .formatted(TextFile.name(file), from, rankOf.length));
        }
        return all;
    }

    private static List<MessageList.Message> recorded(Path file, Place place, int[] rankOf) {
        EndPortFinder names = new EndPortFinder(place.fabric);
        Map<Integer, Integer> hostOfPort = new LinkedHashMap<>();
        for (int host = 0; host < rankOf.length; host++) {
            hostOfPort.put(place.destinations.port(host), host);
        }
        Map<String, Integer> known = new LinkedHashMap<>();
        List<String[]> lines = words(file, "a message a line: FROM TO BYTES");
        List<MessageList.Message> all = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String[] line = lines.get(i);
            String where = TextFile.name(file) + ":" + (i + 1);
            if (line.length == 0) {
                continue;
            }
            if (line.length < 3 || line.length > 4 || all.size() == MessageList.MAX_MESSAGES) {
                throw new FabricInputException(
                        "%s: found %d words, expected FROM TO BYTES, and a time or none, in at most"
                                        .formatted(where, line.length)
                                + " " + MessageList.MAX_MESSAGES + " lines");
            }
            int[] ends = new int[2];
            for (int end = 0; end < 2; end++) {
                Integer host =
                        known.computeIfAbsent(line[end], word -> hostOfPort.getOrDefault(find(names, word, where), -1));
                if (host < 0) {
                    throw new FabricInputException("%s: %s is no host".formatted(where, line[end]));
                }
                ends[end] = host;
            }
            if (ends[0] == ends[1]) {
                throw new FabricInputException("%s: from %s to itself".formatted(where, line[0]));
            }
            long at = line.length == 3 ? 0 : SimTime.nanos(where, line[3]);
            long length = length(file, i + 1, line[2]);
            if (rankOf[ends[0]] >= 0 && rankOf[ends[1]] >= 0) {
                all.add(new MessageList.Message(rankOf[ends[0]], rankOf[ends[1]], length, at));
            }
        }
        return all;
    }

    private static int find(EndPortFinder names, String word, String where) {
        try {
            return names.find(word);
        } catch (FabricInputException e) {
            throw new FabricInputException(where + ": " + e.getMessage(), e);
        }
    }

    private static void header(Place place, int[] hosts, PrintWriter out) {
        Destinations all = place.destinations;
        if (hosts.length < all.hosts()) {
            List<String> left = IntStream.range(0, all.hosts())
                    .filter(host -> Arrays.binarySearch(hosts, host) < 0)
                    .mapToObj(host -> place.fabric.description(place.fabric.nodeOf(all.port(host))))
                    .toList();
            out.println("hosts that a failure cuts off take no part: "
                    + String.join(", ", left.subList(0, Math.min(MAX_NAMED, left.size())))
                    + (left.size() > MAX_NAMED ? " and %d more".formatted(left.size() - MAX_NAMED) : ""));
        }
    }

    private void tell(Place place, Job job, int[] ports, Map<String, JobResult> results, PrintWriter out) {
        TextColumns table = new TextColumns(
                job.name(), "done", "hosts in the mean", "mean message", "longest", "resent", "busiest link", "at");
        results.forEach((which, result) -> {
            result.log().forEach(line -> out.println(which + ": " + line));
            if (!result.lost().isEmpty()) {
                out.println(which + ": lost: " + lost(result));
            }
            boolean done = result.end() == JobResult.End.DONE;
            table.add(
                    which,
                    done ? Upkeep.time(result.nanos()) : "never",
                    done ? Upkeep.time(Math.round(result.meanEnd())) : "",
                    Upkeep.time(Math.round(result.meanMessage())),
                    Upkeep.time(result.longestMessage()),
                    result.resent(),
                    String.format(Locale.ROOT, "%.3f", result.busiestShare()),
                    result.busiest() == Fabric.NONE ? "" : place.fabric.portName(result.busiest()));
        });
        JobResult intact = results.values().iterator().next();
        out.printf(
                Locale.ROOT,
                "%s: %d hosts, %,d message%s, %,d bytes, up to %d messages of a host under way%n",
                job.name(),
                ports.length,
                intact.messages(),
                intact.messages() == 1 ? "" : "s",
                intact.bytes(),
                outstanding);
        table.lines().forEach(out::println);
        results.forEach((which, result) -> end(place, which, result).forEach(out::println));
        JobResult failed = results.get("with failures");
        if (failed != null && failed.end() == JobResult.End.DONE && intact.end() == JobResult.End.DONE) {
            out.printf(
                    Locale.ROOT,
                    "failures make it %.2f times as long%n",
                    (double) failed.nanos() / Math.max(1, intact.nanos()));
        }
        out.flush();
    }

    private static String lost(JobResult result) {
        List<String> parts = new ArrayList<>();
        result.lost().forEach((reason, count) -> parts.add(count + " " + reason));
        return String.join(", ", parts);
    }

    private static List<String> end(Place place, String which, JobResult result) {
        return switch (result.end()) {
            case DONE -> List.of();
            case BROKEN ->
                List.of("%s: broken at %s: %s".formatted(which, Upkeep.time(result.nanos()), result.trouble()));
            case TIME_OVER -> List.of("%s: not done at %s".formatted(which, Upkeep.time(result.nanos())));
            case STARVED ->
                result.starvation().stream()
                        .map(starvation -> which + ": " + starvation.text(place.fabric))
                        .toList();
            case DEADLOCK ->
                result.deadlock().stream()
                        .map(deadlock -> which + ": " + deadlock.text(place.fabric))
                        .toList();
        };
    }

    private static int status(JobResult result) {
        return switch (result.end()) {
            case DONE -> result.wasRefused() ? REFUSED : 0;
            case BROKEN, TIME_OVER, DEADLOCK -> STOPPED;
            case STARVED -> STARVED;
        };
    }

    private String document(Place place, Job job, int[] ports, Map<String, JobResult> results) {
        Doc runs = new Doc();
        results.forEach((which, result) -> runs.put(
                which.replace(' ', '_'),
                new Doc()
                        .put("end", result.end().name().toLowerCase(Locale.ROOT))
                        .put("nanoseconds", result.nanos())
                        .put("mean_end_nanoseconds", result.meanEnd())
                        .put("slowest", result.slowest() < 0 ? "" : place.fabric.portName(ports[result.slowest()]))
                        .put("messages", result.messages())
                        .put("bytes", result.bytes())
                        .put("mean_message_nanoseconds", result.meanMessage())
                        .put("longest_message_nanoseconds", result.longestMessage())
                        .put("resent_packets", result.resent())
                        .put("lost_packets", new LinkedHashMap<>(result.lost()))
                        .put("busiest", result.busiest() == Fabric.NONE ? "" : place.fabric.portName(result.busiest()))
                        .put("busiest_share", result.busiestShare())
                        .put("log", result.log())
                        .map()));
        return JsonText.of(new Doc()
                        .put("job", job.name())
                        .put("hosts", ports.length)
                        .put("outstanding", outstanding)
                        .put("mtu", place.mtu)
                        .put("seed", place.seed)
                        .put("runs", runs.map())
                        .map())
                + "\n";
    }
}
