package org.railyard.fabric.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.railyard.fabric.model.Fabric;

/** Counts credits: what the sender of a channel has, and what is in the buffer, on the link and on its way back, are the whole buffer. */
final class SimAudit {
    private final FabricSim sim;
    private final Fabric fabric;
    private final int capacity;

    SimAudit(FabricSim sim, Fabric fabric, SimSettings settings) {
        this.sim = sim;
        this.fabric = fabric;
        this.capacity = settings.bufferBytes() / SimSettings.CREDIT_BYTES;
    }

    void check() {
        int[] elsewhere = new int[sim.credits.length];
        for (int slot = 0; slot < TimeWheel.SLOTS; slot++) {
            for (int node = sim.events.first[slot]; node >= 0; node = sim.events.next[node]) {
                count(sim.events.events[node], elsewhere);
            }
        }
        for (int i = 0; i < sim.events.far; i++) {
            count(sim.events.farEvents[i], elsewhere);
        }
        for (int channel = 0; channel < elsewhere.length; channel++) {
            assertThat(sim.credits[channel] + elsewhere[channel] + sim.queues.occupied(channel))
                    .as("%s vl %d at %d ns", fabric.portName(channel >> 4), channel & 15, sim.now())
                    .isEqualTo(capacity);
        }
    }

    private void count(long event, int[] elsewhere) {
        long rest = event >>> FabricSim.KIND_BITS;
        switch ((int) event & FabricSim.KIND_MASK) {
            case FabricSim.HEAD, FabricSim.DELIVERY -> {
                int packet = (int) rest;
                int channel = sim.packets.channel[packet];
                if (sim.packets.epoch[packet] == sim.ports.epoch[channel >> 4]) {
                    elsewhere[channel] += sim.packets.credits(packet);
                }
            }
            case FabricSim.CREDIT -> {
                if ((char) (rest >>> FabricSim.EPOCH_SHIFT) == sim.ports.epoch[(int) rest >> 4]) {
                    elsewhere[(int) rest] += (int) (rest >>> FabricSim.CREDITS_SHIFT);
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
        assertThat(sim.credits).containsOnly(capacity);
    }
}
