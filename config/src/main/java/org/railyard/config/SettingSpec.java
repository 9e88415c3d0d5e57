package org.railyard.config;

import org.railyard.base.yaml.Place;
import org.railyard.lnet.api.Tunable;

/**
 * A node-wide tunable as configured.
 *
 * @param tunable which
 * @param value what it is set to
 * @param place where it is in the file
 */
public record SettingSpec(Tunable tunable, int value, Place place) {}
