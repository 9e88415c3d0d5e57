package org.railyard.cli.lnetctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.Settings;
import org.railyard.testkit.Requirement;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The same commands as on real nodes, with the same exit codes and documents. */
final class TranscriptTest {
    private static final String WHAT_GOES_WRONG = "errors";
    private static final String WHAT_IS_SHOWN = "state_2guest_multirail";
    private static final String IMPORT_AND_EXPORT = "import_export";

    /**
     * What is not compared by its value but only by its name.
     *
     * @param transcript where; empty for all
     * @param keys what
     * @param reason why
     */
    private record Mask(String transcript, Set<String> keys, String reason) {}

    /** In front of what is masked only of NIs and peer NIs, not of the node. */
    private static final String OF_AN_NI = "NI/";

    private static final List<Mask> MASKS = List.of(
            new Mask("", Set.of("descr"), "the sentences are ours"),
            new Mask(
                    WHAT_IS_SHOWN,
                    Set.of("msgs_max", "rst_alloc"),
                    "a real node frees what timed a response a while later, and two messages cross there in another"
                            + " order"),
            new Mask(
                    WHAT_IS_SHOWN,
                    Set.of(
                            OF_AN_NI + "send_count",
                            OF_AN_NI + "recv_count",
                            OF_AN_NI + "get_rtt_samples",
                            OF_AN_NI + "put_egress_samples",
                            OF_AN_NI + "put_ack_samples",
                            OF_AN_NI + "put",
                            OF_AN_NI + "get",
                            OF_AN_NI + "reply",
                            OF_AN_NI + "ack",
                            OF_AN_NI + "min_tx_credits"),
                    "which of two equal rails takes a message depends on what is still under way; the sums are"
                            + " compared"),
            new Mask(
                    WHAT_GOES_WRONG,
                    Set.of("health value", "next_ping"),
                    "a health of 5000 is stored there and 1000 here; the time of the next recovery ping is that of the"
                            + " node"),
            new Mask(
                    WHAT_GOES_WRONG,
                    Set.of("Multi-Rail"),
                    "a gateway is discovered in the background, before or after a ping"),
            new Mask(
                    IMPORT_AND_EXPORT,
                    Set.of(
                            "state",
                            "peer state",
                            "available_tx_credits",
                            "min_tx_credits",
                            "tx_q_num_of_buf",
                            "min_rtr_credits",
                            "refcount",
                            "health value",
                            "dropped",
                            "error"),
                    "what a gateway that nobody answers at is like depends on how far its check is"));

    /** What ends so is a time. */
    private static final String TIMES = "_nsec";

    /** Where nobody listens at an address of loopback; on a network there is nobody at the address. */
    private static final Map<Object, Object> ERRNOS = Map.of(-111, -113);

    /** What changes nothing and ends with 0 there: a script that misspells a NID would take it for done. */
    private static final Set<String> FAILURES_HERE = Set.of("lnetctl net set --nid 127.99.0.99@tcp --health 500");

    /** What only this node shows. */
    private static final Set<String> OWN = Set.of("resiliency stats", "tx credits", "local ni", "problems", "java");

    @TempDir
    private Path dir = Path.of("");

    private final Set<String> masked = new HashSet<>();

    private List<String> differences(String name) throws IOException {
        MASKS.stream()
                .filter(mask -> mask.transcript().isEmpty() || mask.transcript().equals(name))
                .forEach(mask -> masked.addAll(mask.keys()));
        List<String> differences = new ArrayList<>();
        try (World world = new World(Settings.of(CompatProfile.LUSTRE))) {
            for (Transcript.Step step : Transcript.read(name)) {
                if (step.node().equals("file")) {
                    Files.writeString(dir.resolve(step.line()), step.text());
                } else {
                    compare(step, run(world, step), differences);
                }
            }
        }
        return differences;
    }

    private World.Result run(World world, Transcript.Step step) throws IOException {
        List<String> args = new ArrayList<>();
        String input = "";
        String output = "";
        List<String> words =
                Words.of(step.line()).subList(1, Words.of(step.line()).size());
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            switch (word) {
                case "<" -> input = Files.readString(dir.resolve(words.get(++i)));
                case ">" -> output = words.get(++i);
                default -> args.add(word.endsWith(".yaml") ? dir.resolve(word).toString() : word);
            }
        }
        World.Result result = world.run(step.node(), args, input);
        if (output.isEmpty()) {
            return result;
        }
        Files.writeString(dir.resolve(output), result.out());
        return new World.Result(result.exit(), "", result.err());
    }

    private void compare(Transcript.Step step, World.Result result, List<String> differences) {
        if (FAILURES_HERE.contains(step.line())) {
            if (result.exit() != Exit.FAILED) {
                differences.add(step.line() + ": exit " + result.exit() + ", expected " + Exit.FAILED);
            }
            return;
        }
        if (result.exit() != step.exit()) {
            differences.add(step.line() + ": exit " + result.exit() + ", expected " + step.exit() + "; " + result.out()
                    + result.err());
            return;
        }
        if (step.text().equals("(text)\n")) {
            return;
        }
        Object expected = plain(documents(step.text()), "");
        String text = step.exit() == 0 ? result.out() : result.out() + result.err();
        // Where the real tool is silent, ours says on standard error what is wrong.
        Object found = step.text().isEmpty() ? plain(documents(result.out()), "") : plain(documents(text), "");
        if (!String.valueOf(found).equals(String.valueOf(expected))) {
            differences.add(step.line() + ":\n  found    " + found + "\n  expected " + expected);
        }
    }

    /** Returns all documents of an output; keys that occur twice are taken together. */
    private static List<Object> documents(String text) {
        LoadSettings settings =
                LoadSettings.builder().setAllowDuplicateKeys(true).build();
        List<Object> documents = new ArrayList<>();
        StringBuilder merged = new StringBuilder();
        boolean net = false;
        for (String line : text.lines().toList()) {
            // Shown net by net, each with a key of its own.
            boolean again = line.equals("net:") && net;
            net |= line.equals("net:");
            merged.append(again ? "" : line + "\n");
        }
        new Load(settings).loadAllFromString(merged.toString()).forEach(document -> {
            if (document != null) {
                documents.add(document);
            }
        });
        return documents;
    }

    private @Nullable Object plain(@Nullable Object value, String within) {
        return switch (value) {
            case Map<?, ?> map -> {
                Map<String, @Nullable Object> plain = new LinkedHashMap<>();
                map.forEach((key, each) -> {
                    String name = String.valueOf(key);
                    boolean own = OWN.contains(name) || (name.equals("state") && isOwnState(each));
                    if (!own) {
                        boolean figure =
                                masked.contains(name) || masked.contains(within + name) || name.endsWith(TIMES);
                        plain.put(
                                name,
                                figure
                                        ? "figure"
                                        : name.equals("errno")
                                                ? ERRNOS.getOrDefault(each, each)
                                                : plain(
                                                        each,
                                                        name.equals("local NI(s)") || name.equals("peer ni")
                                                                ? OF_AN_NI
                                                                : within));
                    }
                });
                yield plain;
            }
            case List<?> list -> list.stream().map(each -> plain(each, within)).toList();
            case null, default -> value;
        };
    }

    /** The state of an own NI is written in capitals. */
    private static boolean isOwnState(@Nullable Object state) {
        return Set.of("ACTIVE", "DEGRADED", "FAILED").contains(String.valueOf(state));
    }

    @Test
    @Requirement({"cfg-060", "cfg-070", "cfg-080", "cfg-040"})
    void whatGoesWrong() throws IOException {
        assertThat(differences(WHAT_GOES_WRONG)).isEmpty();
    }

    @Test
    @Requirement({"cfg-045", "cfg-055", "dbg-005", "mrx-007"})
    void whatIsShown() throws IOException {
        assertThat(differences(WHAT_IS_SHOWN)).isEmpty();
    }

    @Test
    @Requirement({"cfg-065", "cfg-170"})
    void importAndExport() throws IOException {
        assertThat(differences(IMPORT_AND_EXPORT)).isEmpty();
    }
}
