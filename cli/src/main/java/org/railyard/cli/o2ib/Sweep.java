package org.railyard.cli.o2ib;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.o2iblnd.tune.O2ibTunable;

/**
 * A tunable and the values that it is to go through.
 *
 * @param tunable which
 * @param first value
 * @param last value, not below the first
 */
record Sweep(O2ibTunable tunable, int first, int last) {
    /** Most values. */
    static final int MAX_VALUES = 100_000;

    private static final Pattern FORM = Pattern.compile("([a-z_]+)=(-?[0-9]{1,9})\\.\\.(-?[0-9]{1,9})");

    /**
     * Reads a sweep.
     *
     * @throws ErrnoException EINVAL if it is none
     */
    static Sweep parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new ErrnoException(Errno.EINVAL, "'" + text + "' is no sweep, expected NAME=FIRST..LAST");
        }
        O2ibTunable tunable = O2ibTunable.named(matcher.group(1));
        int first = Integer.parseInt(matcher.group(2));
        int last = Integer.parseInt(matcher.group(3));
        if (last < first || last - first >= MAX_VALUES) {
            throw new ErrnoException(
                    Errno.EINVAL,
                    "'" + text + "': expected FIRST not above LAST, and at most " + MAX_VALUES + " values");
        }
        return new Sweep(tunable, first, last);
    }
}
