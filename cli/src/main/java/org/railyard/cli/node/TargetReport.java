package org.railyard.cli.node;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.nid.Nid;

/**
 * Answers and failures of {@code ping} and {@code discover}, printed as {@code lnetctl} prints them (spec 12 §1.3,
 * §4.8).
 */
final class TargetReport {
    private record Answer(Nid primary, boolean multiRail, List<Nid> nids) {}

    private record Failure(int errno, String description) {}

    private final String command;
    private final List<Answer> answers = new ArrayList<>();
    private final List<Failure> failures = new ArrayList<>();

    TargetReport(String command) {
        this.command = command;
    }

    void answered(Nid primary, boolean multiRail, List<Nid> nids) {
        answers.add(new Answer(primary, multiRail, nids));
    }

    void failed(Nid target, ErrnoException why) {
        failures.add(
                new Failure(why.errno().status(), target + ": " + why.errno().text() + " (" + why.errno() + ")"));
    }

    /** Prints successes, then failures, as one document. */
    void print(PrintWriter out) {
        if (!answers.isEmpty()) {
            out.println(command + ":");
            for (Answer answer : answers) {
                out.println("- primary nid: " + answer.primary());
                out.println("  Multi-Rail: " + answer.multiRail());
                out.println("  peer_ni:");
                answer.nids().forEach(nid -> out.println("  - nid: " + nid));
            }
        }
        if (!failures.isEmpty()) {
            out.println("manage:");
            for (Failure failure : failures) {
                out.println("- " + command + ":");
                out.println("  errno: " + failure.errno());
                out.println("  descr: ! '" + failure.description().replace("'", "''") + "'");
            }
        }
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
