package org.railyard.ibverbs;

import static org.railyard.base.tune.TunableSpec.Flag.MODULE_PARAMETER;
import static org.railyard.base.tune.TunableSpec.Flag.RAILYARD_ONLY;
import static org.railyard.base.tune.TunableSpec.choice;

import java.util.Arrays;
import org.railyard.base.tune.TunableKey;
import org.railyard.base.tune.TunableSpec;

/** Tunables of cards. */
public enum IbvTunable implements TunableKey {
    MEMORY(choice(
            "memory",
            MemoryMode.COPY.text(),
            "how the memory of messages is reached: copied through memory that is registered once; registered when it"
                    + " is used, and kept in a cache; the same, and a memory window opens it to the peer for one"
                    + " transfer; or all of the process, on demand, which lets peers write anywhere"
                    + " in it",
            Arrays.stream(MemoryMode.values()).map(MemoryMode::text).toArray(String[]::new)));

    @SuppressWarnings("ImmutableEnumChecker") // A record of copies.
    private final TunableSpec spec;

    IbvTunable(TunableSpec spec) {
        this.spec = spec.with(MODULE_PARAMETER, RAILYARD_ONLY);
    }

    @Override
    public TunableSpec spec() {
        return spec;
    }
}
