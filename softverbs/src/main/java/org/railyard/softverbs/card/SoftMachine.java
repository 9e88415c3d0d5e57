package org.railyard.softverbs.card;

import java.util.function.Consumer;
import java.util.function.Function;
import org.railyard.softverbs.net.SimulatedFabric;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.VerbsDevice;
import org.railyard.verbs.card.CardLoop;
import org.railyard.verbs.card.memory.MemoryModel;

/**
 * The machine that simulated cards are in.
 *
 * @param fabric what it is connected to
 * @param name for people
 * @param memory how its memory looks to cards
 * @param loops returns a loop as one of this machine, or throws
 * @param removal hears of cards that are taken away
 */
public record SoftMachine(
        SimulatedFabric fabric,
        String name,
        MemoryModel memory,
        Function<EventLoop, CardLoop> loops,
        Consumer<VerbsDevice> removal) {}
