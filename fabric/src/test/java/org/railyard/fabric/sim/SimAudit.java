package org.railyard.fabric.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.railyard.fabric.model.Fabric;

/**
 * Counts credits: what the sender of a channel has, and what is in the buffer, on the link and on its way back, are the
 * whole buffer.
 */
final class SimAudit {
    private final FabricSim sim;
    private final Switching state;
    private final Fabric fabric;
    private final int capacity;

    SimAudit(FabricSim sim, Fabric fabric, SimSettings settings) {
        this.sim = sim;
        this.state = sim.switching;
        this.fabric = fabric;
        this.capacity = settings.bufferBytes() / SimSettings.CREDIT_BYTES;
    }

    void check() {
        int[] elsewhere = new int[state.queues.channels()];
        for (int slot = 0; slot < TimeWheel.SLOTS; slot++) {
            for (int node = state.events.first[slot]; node >= 0; node = state.events.next[node]) {
                count(state.events.events[node], elsewhere);
            }
        }
        for (int i = 0; i < state.events.far; i++) {
            count(state.events.farEvents[i], elsewhere);
        }
        for (int channel = 0; channel < elsewhere.length; channel++) {
            assertThat(state.queues.credits(channel) + elsewhere[channel] + state.queues.occupied(channel))
                    .as("%s vl %d at %d ns", fabric.portName(channel >> 4), channel & 15, sim.now())
                    .isEqualTo(capacity);
        }
    }

    private void count(long event, int[] elsewhere) {
        long rest = event >>> Switching.KIND_BITS;
        switch ((int) event & Switching.KIND_MASK) {
            case Switching.HEAD, Switching.DELIVERY -> {
                int packet = (int) rest;
                int channel = state.packets.channel(packet);
                if (state.packets.epoch(packet) == state.ports.epoch[channel >> 4]) {
                    elsewhere[channel] += state.packets.credits(packet);
                }
            }
            case Switching.CREDIT -> {
                if ((char) (rest >>> Switching.EPOCH_SHIFT) == state.ports.epoch[(int) rest >> 4]) {
                    elsewhere[(int) rest] += (int) (rest >>> Switching.CREDITS_SHIFT);
                }
            }
            default -> {
                // Moves no credits.
            }
        }
    }

    /** When all packets are gone, every sender has all credits. */
    void checkEmpty() {
        sim.runUntil(sim.now() + 1000);
        for (int channel = 0; channel < state.queues.channels(); channel++) {
            assertThat(state.queues.credits(channel)).isEqualTo(capacity);
        }
    }
}
