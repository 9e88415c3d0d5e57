package org.railyard.cli.lnetctl;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** What real nodes answered to commands, without their sentences: files, commands, exit codes, documents. */
final class Transcript {
    /**
     * A step.
     *
     * @param node whose it is; {@code file} for a file with that content
     * @param line the command, or the name of the file
     * @param exit the exit code
     * @param text the document, or the content
     */
    record Step(String node, String line, int exit, String text) {}

    private Transcript() {}

    static List<Step> read(String name) {
        String all;
        try (InputStream in = Transcript.class.getResourceAsStream("/transcripts/" + name + ".txt")) {
            all = new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<Step> steps = new ArrayList<>();
        String node = "";
        String line = "";
        int exit = 0;
        StringBuilder text = new StringBuilder();
        for (String each : all.lines().toList()) {
            if (each.startsWith("| ")) {
                text.append(each, 2, each.length()).append('\n');
            } else if (each.startsWith("exit ")) {
                exit = Integer.parseInt(each.substring("exit ".length()));
            } else if (!each.equals("|")) {
                add(steps, node, line, exit, text);
                int blank = each.indexOf(' ');
                node = each.substring(0, blank);
                line = each.substring(blank + 1);
                exit = 0;
            }
        }
        add(steps, node, line, exit, text);
        return steps;
    }

    private static void add(List<Step> steps, String node, String line, int exit, StringBuilder text) {
        if (!node.isEmpty()) {
            steps.add(new Step(node, line, exit, text.toString()));
        }
        text.setLength(0);
    }
}
