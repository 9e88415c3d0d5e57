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
import org.railyard.testkit.Requirement;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The same commands as on real nodes, with the same exit codes and documents. */
final class TranscriptTest {
    /** Figures that depend on time and luck: only their names are compared. */
    private static final Set<String> FIGURES = Set.of(
            "statistics", "sent_stats", "received_stats", "dropped_stats", "health stats", "min_tx_credits", "descr");

    /** What only this node shows. */
    private static final Set<String> OWN = Set.of("resiliency stats", "tx credits", "local ni", "problems");

    @TempDir
    private Path dir = Path.of("");

    /** What a gateway that nobody answers at is like depends on how far its check is. */
    private static final Set<String> UNDER_WAY =
            Set.of("state", "peer state", "available_tx_credits", "tx_q_num_of_buf", "min_rtr_credits", "refcount");

    private Set<String> figures = FIGURES;

    private List<String> differences(String name) throws IOException {
        figures = new HashSet<>(FIGURES);
        if (name.equals("import_export")) {
            figures.addAll(UNDER_WAY);
        }
        if (name.equals("errors")) {
            // A gateway is discovered in the background; a ping may come before or after that.
            figures.add("Multi-Rail");
        }
        List<String> differences = new ArrayList<>();
        try (World world = new World()) {
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
        if (result.exit() != step.exit()) {
            differences.add(step.line() + ": exit " + result.exit() + ", expected " + step.exit() + "; " + result.out()
                    + result.err());
            return;
        }
        if (step.text().equals("(text)\n")) {
            return;
        }
        Object expected = plain(documents(step.text()));
        String text = step.exit() == 0 ? result.out() : result.out() + result.err();
        // Where the real tool is silent, ours says on standard error what is wrong.
        Object found = step.text().isEmpty() ? plain(documents(result.out())) : plain(documents(text));
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

    private @Nullable Object plain(@Nullable Object value) {
        return switch (value) {
            case Map<?, ?> map -> {
                Map<String, @Nullable Object> plain = new LinkedHashMap<>();
                map.forEach((key, each) -> {
                    String name = String.valueOf(key);
                    boolean own = OWN.contains(name) || (name.equals("state") && isOwnState(each));
                    if (!own) {
                        plain.put(name, figures.contains(name) ? names(each) : plain(each));
                    }
                });
                yield plain;
            }
            case List<?> list -> list.stream().map(this::plain).toList();
            case null, default -> value;
        };
    }

    /** The state of an own NI is written in capitals. */
    private static boolean isOwnState(@Nullable Object state) {
        return Set.of("ACTIVE", "DEGRADED", "FAILED").contains(String.valueOf(state));
    }

    private static Object names(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? map.keySet().toString() : "figure";
    }

    @Test
    @Requirement({"cfg-060", "cfg-070", "cfg-080", "cfg-040"})
    void whatGoesWrong() throws IOException {
        assertThat(differences("errors")).isEmpty();
    }

    @Test
    @Requirement({"cfg-045", "cfg-055", "dbg-005"})
    void whatIsShown() throws IOException {
        assertThat(differences("state_2guest_multirail")).isEmpty();
    }

    @Test
    @Requirement({"cfg-065", "cfg-170"})
    void importAndExport() throws IOException {
        assertThat(differences("import_export")).isEmpty();
    }
}
