package org.railyard.o2iblnd.transfer;

import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.o2iblnd.tune.EffectiveTunables;
import org.railyard.o2iblnd.tune.O2ibTunable;
import org.railyard.o2iblnd.tune.Registration;
import org.railyard.verbs.DeviceAttributes;
import org.railyard.verbs.DeviceAttributes.Ability;
import org.railyard.verbs.Pd;
import org.railyard.verbs.VerbsDevice;

/** A device as an interface of an NI uses it: its protection domain, and memory for transfers in it. */
public final class Card {
    private final VerbsDevice device;
    private final Pd pd;
    private final ChunkPool sources;
    private final ChunkPool sinks;
    private final Registration registration;
    private final RegionPool regions;

    /**
     * Opens a device.
     *
     * @throws org.railyard.verbs.VerbsException ENODEV if it is broken
     */
    public Card(VerbsDevice device, EffectiveTunables tunables) {
        this.device = device;
        this.pd = device.openPd();
        this.sources = new ChunkPool(pd);
        this.sinks = new ChunkPool(pd);
        this.registration = registration(device, tunables);
        this.regions = new RegionPool(pd, registration, tunables.regionsPerCpt(1));
    }

    /**
     * Returns how memory for transfers is registered on a device: as kernels choose; where they find nothing that they
     * can use, payloads are copied to memory that is registered for good. What can not be registered is copied in any
     * case.
     */
    public static Registration registration(VerbsDevice device, EffectiveTunables tunables) {
        DeviceAttributes able = device.attributes();
        Registration pooled = Registration.of(able, tunables.given().get(O2ibTunable.USE_FASTREG_GAPS) != 0);
        if (pooled != null) {
            return pooled;
        }
        return able.has(Ability.GLOBAL_REGION) ? Registration.GLOBAL : Registration.ARENA;
    }

    /** Returns the device. */
    public VerbsDevice device() {
        return device;
    }

    /** Returns the protection domain. */
    public Pd pd() {
        return pd;
    }

    /** Returns the memory that messages are sent from. */
    public ChunkPool sources() {
        return sources;
    }

    /** Returns the memory that messages are received into. */
    public ChunkPool sinks() {
        return sinks;
    }

    /** Returns how memory of messages is registered. */
    public Registration registration() {
        return registration;
    }

    /** Returns the regions that transfers use. */
    public RegionPool regions() {
        return regions;
    }

    /** Takes back the memory that a transmit held. */
    public void giveBack(Tx tx) {
        MemoryTransfer memory = tx.memory();
        tx.setMemory(null);
        switch (memory) {
            case null -> {
                // It moved nothing.
            }
            case Chunk chunk -> (tx.isSink() ? sinks : sources).giveBack(chunk);
            case MappedMemory mapped -> regions.giveBack(mapped, tx.health() == HealthStatus.OK);
        }
    }

    /** Takes back the memory of a transmit that no message has named that left. */
    public void withdraw(Tx tx) {
        if (tx.isUnseen() && tx.memory() != null) {
            if (tx.memory() instanceof MappedMemory mapped && tx.isRecalled()) {
                tx.setMemory(null);
                regions.giveBack(mapped, false);
            } else if (tx.memory() instanceof MappedMemory mapped) {
                tx.setMemory(null);
                regions.withdraw(mapped);
            } else {
                giveBack(tx);
            }
        }
    }

    /** Gives back memory, regions and the protection domain. */
    public void close() {
        pd.close();
    }
}
