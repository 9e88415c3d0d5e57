package org.railyard.control;

import java.util.List;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;

/** An operation was refused, or could not be done; nothing has changed. */
public final class DlcException extends RuntimeException {
    /** The configuration library's error without a better name (spec 12 §1.2). */
    public static final int GENERIC = -61;

    /** Nothing matches (spec 12 §1.2). */
    public static final int NO_MATCH = -42;

    static final int EPROTO = Errno.EPROTO.status();

    private static final long serialVersionUID = 1L;

    private final transient List<Failure> failures;

    /** Makes one of failures, at least one, the one that decides last. */
    public DlcException(List<Failure> failures) {
        super(failures.getLast().text());
        this.failures = List.copyOf(failures);
    }

    /** Makes one of a failure that is not about a file. */
    public DlcException(String verb, String entity, int errno, String text) {
        this(List.of(new Failure(verb, entity, errno, text, List.of())));
    }

    /** Makes one of what the stack says, for an operation. */
    public DlcException(Operation operation, ErrnoException cause) {
        this(operation.verb(), operation.entity(), cause.errno().status(), textOf(cause));
        initCause(cause);
    }

    /** Makes one for an operation. */
    public DlcException(Operation operation, Errno errno, String text) {
        this(operation.verb(), operation.entity(), errno.status(), text);
    }

    /** Returns what a failure of the stack says, without the name of its errno in front. */
    public static String textOf(ErrnoException failure) {
        String text = String.valueOf(failure.getMessage());
        String name = failure.errno() + ": ";
        return text.startsWith(name) ? text.substring(name.length()) : text;
    }

    /** Returns what was refused, in order; the last one decides. */
    public List<Failure> failures() {
        return failures;
    }

    /** Returns the one that decides. */
    public Failure failure() {
        return failures.getLast();
    }
}
