package org.railyard.cli.node;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.NidFormatException;

/**
 * What {@code ping} and {@code discover} have in common: ask each target, print the answers in the order of the
 * arguments.
 */
final class TargetCommand {
    private final String name;
    private final PrintWriter out;
    private final PrintWriter err;

    TargetCommand(String name, PrintWriter out, PrintWriter err) {
        this.name = name;
        this.out = out;
        this.err = err;
    }

    /** One question to one target; reports the answer. */
    interface Question {
        /** Asks; the stage's value reports the answer when called. */
        CompletionStage<Runnable> ask(LNet node, Nid target, TargetReport report);
    }

    /**
     * Runs the command.
     *
     * @return the exit code
     */
    int run(List<String> arguments, NodeOptions options, Settings settings, Question question) {
        List<Nid> targets;
        try {
            targets = TargetReader.parse(arguments);
            options.source();
        } catch (NidFormatException e) {
            return failAsAWhole(Errno.EINVAL, e.getMessage());
        }
        TargetReport report = new TargetReport(name);
        try (LNet node = options.start(targets, settings)) {
            List<CompletionStage<Runnable>> asked = targets.stream()
                    .map(target -> ask(node, target, report, question))
                    .toList();
            for (int i = 0; i < asked.size(); i++) {
                settle(asked.get(i), targets.get(i), report, node.nids());
            }
        } catch (ErrnoException e) {
            // Nothing could be asked at all: every target failed, for this reason.
            err.println("railyard: " + e.getMessage());
            boolean notMine = !options.source().isAny() && e.errno() == Errno.ENETDOWN;
            ErrnoException each = notMine
                    ? new ErrnoException(Errno.EINVAL, options.source() + " is not an address of this host", e)
                    : e;
            targets.forEach(target -> report.failed(target, each, List.of()));
        }
        options.json().print(out, report::lines, report::document);
        return report.exitCode();
    }

    private static CompletionStage<Runnable> ask(LNet node, Nid target, TargetReport report, Question question) {
        try {
            return question.ask(node, target, report);
        } catch (ErrnoException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    private static void settle(CompletionStage<Runnable> asked, Nid target, TargetReport report, List<Nid> local) {
        try {
            asked.toCompletableFuture().join().run();
        } catch (CompletionException | CancellationException e) {
            if (e.getCause() instanceof ErrnoException why) {
                report.failed(target, why, local);
            } else {
                throw e;
            }
        }
    }

    private int failAsAWhole(Errno errno, @Nullable String why) {
        TargetReport.printWholeFailure(err, name, errno.status(), String.valueOf(why));
        err.flush();
        return ExitCodes.COMMAND_FAILED;
    }
}
