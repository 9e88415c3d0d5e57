package org.railyard.roce.card;

import org.railyard.base.host.Tracer;
import org.railyard.roce.api.RoceCounters;
import org.railyard.roce.api.RoceSettings;
import org.railyard.roce.loop.ProviderThread;
import org.railyard.roce.net.Datagrams;

/**
 * What all cards of a provider have in common.
 *
 * @param engine the thread that everything runs in
 * @param settings how the provider behaves
 * @param counters what it has counted
 * @param net the network below
 * @param tracer who records what happens
 * @param manager gets what comes for the connection manager
 */
public record CardContext(
        ProviderThread engine,
        RoceSettings settings,
        RoceCounters counters,
        Datagrams net,
        Tracer tracer,
        DatagramListener manager) {}
