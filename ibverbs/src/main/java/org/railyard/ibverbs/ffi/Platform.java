package org.railyard.ibverbs.ffi;

import java.util.Locale;
import org.railyard.verbs.VerbsException;

/** The machines whose layouts are known (spec 24 ibv-002). */
final class Platform {
    private Platform() {}

    /**
     * Checks names as the JDK gives them.
     *
     * @throws VerbsException EOPNOTSUPP if the layouts there are not known
     */
    static void check(String system, String processor) {
        boolean known = processor.equals("amd64") || processor.equals("x86_64") || processor.equals("aarch64");
        if (!system.toLowerCase(Locale.ROOT).startsWith("linux") || !known) {
            throw new VerbsException(
                    VerbsException.Code.EOPNOTSUPP,
                    "cards are used on Linux with x86-64 or aarch64 only; this is " + system + " on " + processor);
        }
    }
}
