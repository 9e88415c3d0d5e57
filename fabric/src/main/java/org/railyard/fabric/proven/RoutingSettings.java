package org.railyard.fabric.proven;

import java.util.Optional;
import org.railyard.fabric.format.LidSettings;
import org.railyard.fabric.proof.CheckOptions;
import org.railyard.fabric.route.EngineOptions;
import org.railyard.fabric.route.RoutingEngine;
import org.railyard.fabric.torus.qos.QosSettings;

/**
 * What a fabric is routed by.
 *
 * @param engine what computes the tables
 * @param options VLs and QoS levels; its groups are not used
 * @param lids which LIDs end ports get
 * @param qos settings of the subnet manager: they are checked against torus-2QoS, and engines that need no SL to VL
 *     tables of their own take theirs; empty if they are not known
 * @param check what is proved
 */
public record RoutingSettings(
        RoutingEngine engine, EngineOptions options, LidSettings lids, Optional<QosSettings> qos, CheckOptions check) {
    /** Returns the settings for an engine alone: LIDs stay, missing ones are given, no QoS settings. */
    public static RoutingSettings of(RoutingEngine engine) {
        return new RoutingSettings(
                engine, EngineOptions.DEFAULT, LidSettings.KEEP, Optional.empty(), CheckOptions.DEFAULT);
    }

    /** Returns the same settings with other options for the engine. */
    public RoutingSettings withOptions(EngineOptions other) {
        return new RoutingSettings(engine, other, lids, qos, check);
    }

    /** Returns the same settings with other LIDs. */
    public RoutingSettings withLids(LidSettings other) {
        return new RoutingSettings(engine, options, other, qos, check);
    }

    /** Returns the same settings with QoS settings. */
    public RoutingSettings withQos(QosSettings other) {
        return new RoutingSettings(engine, options, lids, Optional.of(other), check);
    }
}
