package org.railyard.verbs.card.memory;

import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.railyard.verbs.VerbsDevice;
import org.railyard.verbs.VerbsException;

/** Memory as one card sees it: the regions by their keys, and what has DMA addresses. Not thread-safe. */
public final class CardMemory {
    private final VerbsDevice device;
    private final MemoryModel model;
    private final KeyTable keys;
    private final CardDma dma;
    private final BooleanSupplier failing;

    /**
     * Makes memory of which nothing is registered.
     *
     * @param device the card
     * @param secrets where keys come from that nobody can guess; null for keys in their order
     * @param maxRegions most regions
     * @param failing asked at each registration and mapping; if true, it fails as if there were no memory
     */
    public CardMemory(
            VerbsDevice device,
            MemoryModel model,
            int maxRegions,
            @Nullable RandomGenerator secrets,
            BooleanSupplier failing) {
        this.device = device;
        this.model = model;
        this.keys = new KeyTable(maxRegions, secrets);
        this.dma = new CardDma(model);
        this.failing = failing;
    }

    /** Returns the card. */
    public VerbsDevice device() {
        return device;
    }

    MemoryModel model() {
        return model;
    }

    /** Returns the regions by their keys. */
    public KeyTable keys() {
        return keys;
    }

    CardDma dma() {
        return dma;
    }

    void mayFail(String what, long size, String unit) {
        if (failing.getAsBoolean()) {
            throw new VerbsException(
                    VerbsException.Code.ENOMEM, device + " can not register " + what + " of " + size + " " + unit);
        }
    }

    /** Forgets everything. */
    public void clear() {
        keys.clear();
        dma.clear();
    }
}
