package org.railyard.o2iblnd.tune;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;

/** Values of all tunables, as they were given: {@link EffectiveTunables} tells what becomes of them. Immutable. */
public final class Tunables {
    /** The defaults. */
    public static final Tunables DEFAULT = new Tunables(new EnumMap<>(O2ibTunable.class));

    /** The values that are packaged for Omni-Path (spec 20 §17). */
    public static final Tunables OMNI_PATH = DEFAULT.with(O2ibTunable.PEER_CREDITS, 32)
            .with(O2ibTunable.PEER_CREDITS_HIW, 16)
            .with(O2ibTunable.CREDITS, 1024)
            .with(O2ibTunable.CONCURRENT_SENDS, 64)
            .with(O2ibTunable.NTX, 2048)
            .with(O2ibTunable.MAP_ON_DEMAND, 256)
            .with(O2ibTunable.FMR_POOL_SIZE, 2048)
            .with(O2ibTunable.FMR_FLUSH_TRIGGER, 512)
            .with(O2ibTunable.FMR_CACHE, 1)
            .with(O2ibTunable.CONNS_PER_PEER, 4);

    private final Map<O2ibTunable, Integer> given;

    /** All of them, by their ordinals: each message looks at some. */
    private final int[] values;

    private Tunables(Map<O2ibTunable, Integer> given) {
        this.given = given;
        this.values = Arrays.stream(O2ibTunable.values())
                .mapToInt(each -> given.getOrDefault(each, each.spec().defaultValue()))
                .toArray();
    }

    /** Returns the value of a tunable. */
    public int get(O2ibTunable tunable) {
        return values[tunable.ordinal()];
    }

    /** Tells whether a value was given, even if it is the default. */
    public boolean isGiven(O2ibTunable tunable) {
        return given.containsKey(tunable);
    }

    /** Returns the same values but one. */
    public Tunables with(O2ibTunable tunable, int value) {
        Map<O2ibTunable, Integer> changed = new EnumMap<>(O2ibTunable.class);
        changed.putAll(given);
        changed.put(tunable, value);
        return new Tunables(changed);
    }

    /**
     * Returns the same values but one.
     *
     * @param setting name and value, as in {@code peer_credits=32}
     * @throws ErrnoException EINVAL if it is not a name, '=', a number, or there is no such tunable
     */
    public Tunables with(String setting) {
        int equals = setting.indexOf('=');
        if (equals < 1) {
            throw new ErrnoException(Errno.EINVAL, "'" + setting + "' is no setting, expected NAME=NUMBER");
        }
        O2ibTunable tunable = O2ibTunable.named(setting.substring(0, equals).strip());
        String value = setting.substring(equals + 1).strip();
        return with(tunable, tunable.spec().readAny(value));
    }

    /** Returns the tunables whose values differ. */
    public List<O2ibTunable> differences(Tunables other) {
        List<O2ibTunable> different = new ArrayList<>();
        for (O2ibTunable tunable : O2ibTunable.values()) {
            if (get(tunable) != other.get(tunable)) {
                different.add(tunable);
            }
        }
        return different;
    }
}
