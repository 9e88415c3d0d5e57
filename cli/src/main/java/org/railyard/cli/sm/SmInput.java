package org.railyard.cli.sm;

import java.util.Optional;
import org.railyard.cli.fabric.SmFabric;
import org.railyard.sm.TextStore;

/**
 * What a subnet manager begins with, as it was read.
 *
 * @param configuration what it is configured with
 * @param lids where LIDs are kept
 * @param keys where M_Keys are kept
 * @param state where groups, services, subscriptions and alias GUIDs are kept, if they are
 * @param topology the simulated subnet, if it is one
 */
record SmInput(
        SmConfiguration configuration,
        TextStore lids,
        TextStore keys,
        Optional<SaFile> state,
        Optional<SmFabric> topology) {}
