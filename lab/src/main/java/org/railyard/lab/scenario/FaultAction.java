package org.railyard.lab.scenario;

import org.jspecify.annotations.Nullable;

/** What a fault does. */
public sealed interface FaultAction {
    /** A link goes down, and its node is told. */
    record LinkDown(Selector nodes, String device) implements FaultAction {}

    /** A cable is pulled at the far end; nobody is told. */
    record Unplug(Selector nodes, String device) implements FaultAction {}

    /** A card fails: its node is told, and nothing passes until it is repaired. */
    record CardFails(Selector nodes, String device) implements FaultAction {}

    /** The link of a card goes on with one lane; the node is told. */
    record Degrade(Selector nodes, String device) implements FaultAction {}

    /** Switches of a fabric, chosen by the seed, fail with all their cables. */
    record SwitchDown(String rail, int switches) implements FaultAction {}

    /** Cables between switches of a fabric, chosen by the seed, are pulled. */
    record CableDown(String rail, int cables) implements FaultAction {}

    /** A whole rail passes nothing; nobody is told. */
    record RailOutage(String rail) implements FaultAction {}

    /** Frames do not get from some nodes to others; the other direction works. On one rail, or on all. */
    record OneWay(Selector from, Selector to, @Nullable String rail) implements FaultAction {}

    /** All connections between some nodes and others are reset, once. */
    record Reset(Selector from, Selector to) implements FaultAction {}

    /** A rail loses or repeats frames, or is slow; what is null stays as it is. */
    record LossModel(
            String rail,
            @Nullable Double loss,
            @Nullable Double duplicate,
            @Nullable Span latency) implements FaultAction {}

    /** Nodes take time over each frame that arrives, ns. */
    record Slow(Selector nodes, Span delay) implements FaultAction {}

    /** Nodes die without warning and start anew when repaired; with or without power. */
    record Kill(Selector nodes, boolean power) implements FaultAction {}

    /** Nodes are shut down in order and start anew when repaired. */
    record Stop(Selector nodes) implements FaultAction {}
}
