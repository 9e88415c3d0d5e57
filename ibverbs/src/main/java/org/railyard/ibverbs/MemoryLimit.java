package org.railyard.ibverbs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.railyard.base.Errno;

/** How much memory the process may register (spec 24 §8.1). */
public final class MemoryLimit {
    /** What one NI needs with usual tunables, bytes: transfers of 2 · 64 pieces of 1 MiB. */
    public static final long USUAL_NEED = 128L << 20;

    /** What to do about a limit that is too low. */
    static final String REMEDY = "set LimitMEMLOCK=infinity, or give CAP_IPC_LOCK";

    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final String LINE = "Max locked memory";

    private MemoryLimit() {}

    /** Returns the limit, bytes; empty if there is none, or none is known. */
    public static OptionalLong read() {
        try {
            return parse(Files.readString(LIMITS));
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }

    /** Reads the limit from the text of {@code /proc/self/limits}. */
    static OptionalLong parse(String text) {
        return text.lines()
                .filter(line -> line.startsWith(LINE))
                .map(line -> line.substring(LINE.length()).strip().split("\\s+", 2)[0])
                .filter(word -> word.chars().allMatch(Character::isDigit) && !word.isEmpty())
                .mapToLong(Long::parseLong)
                .findFirst();
    }

    /** Returns what to do about a limit, as a sentence that is added to a message; empty if it is not the reason. */
    static String hint(int errno, long wanted) {
        return hint(errno, wanted, MemoryLimit::read);
    }

    static String hint(int errno, long wanted, Supplier<OptionalLong> limits) {
        if (errno != Errno.ENOMEM.number()) {
            return "";
        }
        OptionalLong limit = limits.get();
        return limit.isEmpty() ? "" : ": " + advice(limit.getAsLong(), wanted);
    }

    /** Returns what is wrong with a limit, and what to do. */
    public static String advice(long limit, long wanted) {
        return found(limit, wanted) + "; " + REMEDY;
    }

    /** Returns what is wrong with a limit. */
    static String found(long limit, long wanted) {
        String need = wanted == 0 ? "" : ", " + size(wanted) + " wanted";
        return "registered memory: " + size(limit) + " allowed (ulimit -l)" + need;
    }

    private static String size(long bytes) {
        return bytes >= 1 << 20 ? (bytes + (1 << 20) - 1 >> 20) + " MiB" : (bytes + 1023 >> 10) + " KiB";
    }
}
