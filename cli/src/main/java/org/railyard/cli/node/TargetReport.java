package org.railyard.cli.node;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.railyard.base.ErrnoException;
import org.railyard.base.text.Doc;
import org.railyard.control.TargetOperation;
import org.railyard.lnet.nid.Nid;

/**
 * Answers and failures of {@code ping} and {@code discover}, printed as {@code lnetctl} prints them (spec 12 §1.3,
 * §4.8).
 */
final class TargetReport {
    private record Answer(Nid primary, boolean multiRail, List<Nid> nids) {
        Map<String, Object> document() {
            return new Doc()
                    .put("primary nid", primary.toString())
                    .put("Multi-Rail", multiRail)
                    .put(
                            "peer_ni",
                            nids.stream()
                                    .map(nid -> Map.of("nid", nid.toString()))
                                    .toList())
                    .map();
        }
    }

    private record Failure(int errno, String description) {
        /** Returns it as the tool's failures are: what failed has no value. */
        Map<String, Object> document(String what) {
            Map<String, @Nullable Object> document = new LinkedHashMap<>();
            document.put(what, null);
            document.putAll(
                    new Doc().put("errno", errno).put("descr", description).map());
            return document;
        }
    }

    private final String command;
    private final List<Answer> answers = new ArrayList<>();
    private final List<Failure> failures = new ArrayList<>();

    TargetReport(String command) {
        this.command = command;
    }

    void answered(Nid primary, boolean multiRail, List<Nid> nids) {
        answers.add(new Answer(primary, multiRail, nids));
    }

    /** Takes a failure of a node with some NIDs, none if it could not be started. */
    void failed(Nid target, ErrnoException why, List<Nid> local) {
        failures.add(new Failure(why.errno().status(), TargetOperation.failure(target, why, local)));
    }

    /** Returns the lines of one document: successes, then failures. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        if (!answers.isEmpty()) {
            lines.add(command + ":");
            for (Answer answer : answers) {
                lines.add("- primary nid: " + answer.primary());
                lines.add("  Multi-Rail: " + answer.multiRail());
                lines.add("  peer_ni:");
                answer.nids().forEach(nid -> lines.add("  - nid: " + nid));
            }
        }
        if (!failures.isEmpty()) {
            lines.add("manage:");
            for (Failure failure : failures) {
                lines.add("- " + command + ":");
                lines.add("  errno: " + failure.errno());
                lines.add("  descr: ! '" + failure.description().replace("'", "''") + "'");
            }
        }
        return lines;
    }

    /** Returns the same document for programs. */
    Map<String, Object> document() {
        Doc document = new Doc();
        if (!answers.isEmpty()) {
            document.put(command, answers.stream().map(Answer::document).toList());
        }
        if (!failures.isEmpty()) {
            document.put(
                    "manage",
                    failures.stream().map(failure -> failure.document(command)).toList());
        }
        return document.map();
    }

    /** Returns the exit code: 0, or 255 if a target failed. */
    int exitCode() {
        return failures.isEmpty() ? 0 : ExitCodes.TARGET_FAILED;
    }

    /** Prints that the command failed as a whole. */
    static void printWholeFailure(PrintWriter err, String command, int errno, String description) {
        err.println("---");
        err.println("manage:");
        err.println("-     " + command + ":");
        err.println("      errno: " + errno);
        err.println("      descr: ! \"" + description.replace("\\", "\\\\").replace("\"", "\\\"") + "\"");
        err.println("...");
    }
}
