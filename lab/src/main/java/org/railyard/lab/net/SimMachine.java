package org.railyard.lab.net;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A computer with its devices; the node runs on it, or does not. Belongs to the thread of its run. */
public final class SimMachine {
    /** What a machine does with frames. */
    public enum Power {
        /** Hands them to its node. */
        ON,
        /** The node's program is gone: the operating system refuses and resets connections. */
        REFUSING,
        /** No power: nothing answers. */
        OFF
    }

    private final String name;
    private final int number;
    private final List<SimDevice> devices = new ArrayList<>();
    private @Nullable MachineCards cards;
    private Power power = Power.REFUSING;
    long delayNanos;
    long busyUntil;

    SimMachine(String name, int number) {
        this.name = name;
        this.number = number;
    }

    /** Returns its name. */
    public String name() {
        return name;
    }

    /** Returns its number, from 0, in the order of making. */
    public int number() {
        return number;
    }

    /** Returns its devices. */
    public List<SimDevice> devices() {
        return devices;
    }

    /** Returns a device by name, or null. */
    public @Nullable SimDevice device(String deviceName) {
        for (SimDevice device : devices) {
            if (device.name().equals(deviceName)) {
                return device;
            }
        }
        return null;
    }

    /** Returns its cards for a network that is simulated elsewhere, or null. */
    public @Nullable MachineCards cards() {
        return cards;
    }

    /** Gives it cards for a network that is simulated elsewhere. */
    public void setCards(MachineCards given) {
        cards = given;
    }

    void setPower(Power other) {
        power = other;
        if (cards != null) {
            cards.power(other);
        }
    }

    /** Returns what it does with frames. */
    public Power power() {
        return power;
    }

    /** Makes it slow: it takes so long, ns, over each frame that arrives; 0 for no time. */
    public void slowDown(long nanos) {
        delayNanos = nanos;
        if (cards != null) {
            cards.slow(nanos);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
