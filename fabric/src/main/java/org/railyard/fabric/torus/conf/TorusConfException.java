package org.railyard.fabric.torus.conf;

import java.util.List;
import java.util.stream.Collectors;
import org.railyard.fabric.format.FormatException;

/** A torus-2QoS.conf that is not accepted, with everything that is wrong with it. */
public final class TorusConfException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<FormatException> problems;

    /** Makes the error of at least one problem. */
    public TorusConfException(List<FormatException> problems) {
        super(problems.stream().map(FormatException::getMessage).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /** Returns what is wrong, in the order of the lines, at most {@link TorusConfParser#MAX_PROBLEMS}. */
    public List<FormatException> problems() {
        return problems;
    }
}
