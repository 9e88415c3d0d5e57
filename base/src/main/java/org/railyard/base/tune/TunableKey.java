package org.railyard.base.tune;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.text.Spelling;

/** A constant for a tunable, by which code reads its value. */
public interface TunableKey {
    /** Returns all that is known of it. */
    TunableSpec spec();

    /** Returns its name in configuration. */
    default String text() {
        return spec().name();
    }

    /** Returns the one with a name. */
    static <T extends TunableKey> Optional<T> find(T[] all, String name) {
        return Arrays.stream(all).filter(each -> each.text().equals(name)).findFirst();
    }

    /**
     * Returns the one with a name.
     *
     * @param whose whose tunables they are, such as {@code socklnd}
     * @throws ErrnoException EINVAL if there is none; tells the names that are near it, all of them if none is
     */
    static <T extends TunableKey> T named(String whose, T[] all, String name) {
        return find(all, name).orElseThrow(() -> {
            List<String> names = Arrays.stream(all).map(TunableKey::text).toList();
            String near = Spelling.hint(name, names);
            return new ErrnoException(
                    Errno.EINVAL,
                    whose + " has no tunable '" + name + "'"
                            + (near.isEmpty() ? "; expected one of " + String.join(", ", names) : near));
        });
    }
}
