package org.railyard.cli.lnetctl;

import java.io.BufferedReader;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.jline.terminal.Terminal;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.text.JsonText;
import org.railyard.base.text.YamlText;
import org.railyard.cli.service.NoServiceException;
import org.railyard.control.Dlc;
import org.railyard.control.DlcException;
import org.railyard.control.Failure;
import org.railyard.control.Operation;

/** Where a command reads and writes, and the node that it is about. Not thread-safe. */
final class Session {
    private final BufferedReader in;
    private final PrintWriter out;
    private final PrintWriter err;
    private final Supplier<Dlc> service;
    private final @Nullable Terminal terminal;
    private @Nullable Dlc dlc;
    private boolean strict;
    private boolean json;

    /** Makes one without a terminal. */
    Session(BufferedReader in, PrintWriter out, PrintWriter err, Supplier<Dlc> service) {
        this(in, out, err, service, null);
    }

    /**
     * Makes one.
     *
     * @param terminal the one that commands are typed at and that is open, null if there is none
     */
    Session(BufferedReader in, PrintWriter out, PrintWriter err, Supplier<Dlc> service, @Nullable Terminal terminal) {
        this.in = in;
        this.out = out;
        this.err = err;
        this.service = service;
        this.terminal = terminal;
    }

    /** Returns the terminal that commands are typed at, null if there is none that is open. */
    @Nullable
    Terminal terminal() {
        return terminal;
    }

    BufferedReader in() {
        return in;
    }

    PrintWriter out() {
        return out;
    }

    PrintWriter err() {
        return err;
    }

    /** Returns the node; the service is asked for at first need, so that help needs none. */
    Dlc dlc() {
        Dlc known = dlc;
        if (known == null) {
            known = service.get();
            dlc = known;
        }
        return known;
    }

    /**
     * From now on refuses what the tool has always overlooked: options that it does not know, and numbers that are
     * none.
     */
    void beStrict() {
        strict = true;
    }

    /** From now on writes answers and failures as JSON, each document in a line. */
    void writeJson() {
        json = true;
    }

    boolean isJson() {
        return json;
    }

    boolean isStrict() {
        return strict;
    }

    /** Writes a line that does not mean a failure. */
    void warn(String text) {
        err.println("lnetctl: warning: " + text);
    }

    /** Writes the warnings of an answer, and returns the rest of it. */
    Map<String, Object> withoutWarnings(Map<String, Object> answer) {
        if (!(answer.get("warnings") instanceof List<?> warnings)) {
            return answer;
        }
        warnings.forEach(each -> warn(String.valueOf(each)));
        Map<String, Object> rest = new LinkedHashMap<>(answer);
        rest.remove("warnings");
        return rest;
    }

    /** Writes a line of complaint. */
    int complain(int exit, String text) {
        err.println("lnetctl: " + text);
        return exit;
    }

    /** Writes an answer. */
    void print(Map<String, Object> document) {
        out.print(textOf(document));
    }

    /** Returns a document as it is written: YAML, or a line of JSON. */
    String textOf(Map<String, Object> document) {
        return json ? JsonText.of(document) + "\n" : YamlText.of(document);
    }

    /** Writes a failure, in YAML as scripts know it for this kind of command. */
    private void printFailure(Failure failure, Function<Failure, String> yaml) {
        err.print(json ? JsonText.of(failure.toDocument()) + "\n" : yaml.apply(failure));
    }

    /**
     * Does an operation of nets, routes, peers or LNet itself: its failures are documents of their own, and one exit
     * code for all.
     */
    int run(Operation operation) {
        return run(operation, answer -> {
            print(answer);
            return Exit.OK;
        });
    }

    /**
     * Does an operation as {@link #run(Operation)}.
     *
     * @param shown shows the answer; returns the exit code
     */
    int run(Operation operation, ToIntFunction<Map<String, Object>> shown) {
        try {
            return shown.applyAsInt(dlc().execute(operation));
        } catch (NoServiceException e) {
            return complain(Exit.FAILED, e.text());
        } catch (DlcException e) {
            return fail(e);
        }
    }

    /**
     * Does an operation on peers. Of NIDs that no peer has, scripts expect the exit code and no word (spec 12 §1.3);
     * whoever types, or wants all mistakes told, is told.
     */
    int peers(Operation operation) {
        try {
            print(withoutWarnings(dlc().execute(operation)));
            return Exit.OK;
        } catch (NoServiceException e) {
            return complain(Exit.FAILED, e.text());
        } catch (DlcException e) {
            boolean unknown = e.failure().errno() == Errno.ENOENT.status();
            return unknown && !isTold() ? Exit.FAILED : fail(e);
        }
    }

    /** Tells whether mistakes are told that the tool has always been silent about. */
    boolean isTold() {
        return strict || terminal != null;
    }

    /** Writes failures as documents of their own. */
    int fail(DlcException e) {
        e.failures().forEach(each -> printFailure(each, ErrorText::explicit));
        return Exit.FAILED;
    }

    /** Does an operation of settings, statistics, routing or rules: the exit code is the errno. */
    int classic(Operation operation) {
        try {
            print(dlc().execute(operation));
            return Exit.OK;
        } catch (NoServiceException e) {
            complain(Exit.NOT_THERE, e.text());
            printFailure(new Failure(operation.verb(), operation.entity(), -2, e.text(), List.of()), ErrorText::nested);
            return Exit.NOT_THERE;
        } catch (DlcException e) {
            Failure failure = e.failure();
            // Deleting a rule has always complained as if one had been added.
            boolean oddVerb = failure.verb().equals("del") && failure.entity().equals("udsp");
            printFailure(
                    oddVerb
                            ? new Failure("add", failure.entity(), failure.errno(), failure.text(), List.of())
                            : failure,
                    ErrorText::nested);
            return Exit.of(failure.errno());
        }
    }
}
